"""The table of results."""

FORMAT = "{:12} {:>10} {:>10} {:>7} {:>5}  {:>9} {:>9} {:>6} {:>5}  {}"


def print_header():
    print(FORMAT.format("", "vt ms", "ssh ms", "ratio", "bar", "vt CPU", "ssh CPU", "ratio", "bar", "more"))


def print_row(result):
    vt, ssh, ratio, bars = result["vt"], result["ssh"], result["ratio"], result["bars"]
    print(
        FORMAT.format(
            result["name"],
            f"{vt['wall_ms']:.1f}",
            f"{ssh['wall_ms']:.1f}",
            f"{ratio['wall']:.2f}",
            bars.get("wall", ""),
            f"{vt['cpu_ms']:.1f}",
            f"{ssh['cpu_ms']:.1f}",
            f"{ratio['cpu']:.2f}",
            bars.get("cpu", ""),
            ", ".join(more(vt, ssh)),
        ),
        flush=True,
    )


def more(vt, ssh):
    if "mb_per_s" in vt:
        yield f"{vt['mb_per_s']:.0f} and {ssh['mb_per_s']:.0f} MB/s"
    if "peak_kib" in vt:
        both = [vt["peak_kib"]] + ([ssh["peak_kib"]] if "peak_kib" in ssh else [])
        yield "peak " + " and ".join(f"{kib / 1024:.1f}" for kib in both) + " MiB"


PEERS = ("vt", "tmux", "dtach")
SESSION_FORMAT = "{:12} {:>10} {:>10} {:>10}  {:5}  {:17}  {}"


def print_session_header():
    print(SESSION_FORMAT.format("", *PEERS, "unit", "bar", "more"))


def print_session_row(result):
    figures = result["figures"]
    columns = [f"{figures[name]:.{2 if figures[name] < 1 else 1}f}" if name in figures else "-" for name in PEERS]
    memory = figures.get("vt_anonymous_kib")
    more = f"{memory:.0f} KiB anonymous in each holder" if memory else ""
    if "slowdown_percent" in figures:
        more = f"output takes {figures['slowdown_percent']:+.0f} % longer"
    print(SESSION_FORMAT.format(result["name"], *columns, result["unit"], result["bar"], more).rstrip(), flush=True)


RECORDING_FORMAT = "{:12} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}  {}"


def print_recording_header():
    names = ("vt MB/s", "asciinema", "vt CPU s", "asciinema", "vt MiB", "asciinema")
    print(RECORDING_FORMAT.format("", *names, "bar").rstrip())


def print_recording_row(result):
    columns = []
    for key, scale in (("mb_per_s", 1), ("cpu", 1), ("peak_kib", 1 / 1024)):
        for name in ("vt", "asciinema"):
            figures = result["figures"].get(name)
            columns.append(f"{figures[key] * scale:.2f}" if figures and key in figures else "-")
    small = result["figures"].get("small")
    script = result["figures"].get("script")
    more = f"; {small['peak_kib'] / 1024:.2f} MiB for a file of 1 MB" if small else ""
    if script:
        more = f"script {script['mb_per_s']:.2f} MB/s, CPU {script['cpu']:.2f} s; wall " + ", ".join(
            f"{name} {figures['wall']:.3f} s" for name, figures in result["figures"].items()
        )
    print(RECORDING_FORMAT.format(result["name"], *columns, result["bar"] + more).rstrip(), flush=True)
