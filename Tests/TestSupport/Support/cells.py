"""Programs with many looks, and the style sheets that their cells should have in the page."""

PROGRAMS = {
    "attributes": r"printf '\e[1mbold \e[2mboth\e[0m \e[2mdim\e[0m \e[3mitalic\e[0m \e[5mblink\e[0m \e[7minverse\e[0m "
    r"\e[8mhidden\e[0m \e[9mstruck\e[0m \e[53mover\e[0m \e[1;2;3;4;5;7;9;53mall\e[0m\n'",
    "underlines": r"for i in 1 2 3 4 5; do printf \"\e[4:${i}mline $i\e[58;5;${i}m color\e[58;2;9;8;7m rgb\e[0m \"; done",
    "palette": r"for i in `seq 0 255`; do printf \"\e[38;5;${i}m%03d\e[48;5;$((255 - i))m%03d\e[0m\" $i $i; done",
    "rgb": r"for i in `seq 0 200`; do printf \"\e[38;2;${i};99;$((255 - i))mx\e[48;2;1;$i;2my\e[0m\"; done",
    "inverse": r"printf '\e[7;31mred\e[0m \e[7;44mblue\e[0m \e[7;2mdim\e[0m \e[7;8mhidden\e[0m\e[31;42;2m two \e[0m'",
    "links": r"printf '\e]8;;https://example.com/a?b=c&d\e\\\\one\e]8;;\e\\\\ \e[31m\e]8;;mailto:a@b\e\\\\two\e[4mthree\e]8;;\e\\\\\e[0m "
    r"\e]8;;ftp://c\e\\\\four\e]8;;\e\\\\'",
    "wide": r"printf '漢字かな交じり文 한국어 ＦＵＬＬ|\n\e[31m漢\e[32m字\e[0mab|\n｡ｱｲ|\n'",
    "emoji": r"printf '😀👍🏽|👩‍👩‍👧|🇩🇪|❤️|☎|✅ \e[44m🎉\e[0m|\n'",
    "marks": r"printf 'é e\u0301 n\u0303o q\u0308\u0323 สวัสดี हिन्दी|\n'",
    "box": r"printf '┌──┬──┐\n│ä │ß │\n├──┼──┤\n╰━━┷═╝ ░▒▓█ ▁▂▃▄▅▆▇ ◆●▶ →↑ ⠿⣿|\n'",
    "bidi": r"printf 'ab שלום cd| مرحبا ef|\n\u202eabc\u202c|\n'",
    "sizes": r"printf '\e#6double\n\e#3top\n\e#4top\n\e#6漢字\nend\n'",
    "reverse": r"printf '\e[?5h plain \e[31mred\e[7minverse\e[0m'",
    "latin": r"printf 'Grüße, Ελλάδα, Привет, żółć \u00ad|\n'",
    "vim": "exec vim -u NONE -N '+syntax on' '+set nu hls cul list' /etc/profile '+/if' '+sp /etc/passwd'",
    "less": "exec less -N /etc/profile",
    "htop": "exec htop -d 600",
    "tmux": "exec tmux -f /dev/null -L cells new 'printf ready; exec cat' ';' splitw cat ';' splitw -h 'ls /etc; exec cat'",
    "ls": "ls -C --color=always /dev /etc | head -20",
    "manual": "mandoc -T utf8 /usr/share/man/man1/*.1 | head -23 || cat /etc/profile",
    "fish": "exec fish --no-config",
}


def styled(run, theme, is_reversed):
    """The style sheet of a run, with literal colors."""
    back, front, _, *palette = theme

    def color(value):
        if value is None or isinstance(value, str):
            return value
        if value < 16:
            return palette[value]
        if value > 231:
            return "rgb({0},{0},{0})".format(8 + (value - 232) * 10)
        levels = [0, 95, 135, 175, 215, 255]
        return "rgb({},{},{})".format(*(levels[(value - 16) // place % 6] for place in [36, 6, 1]))

    if is_reversed:
        back, front = front, back
    names = run.get("attributes", [])
    text, ground = color(run.get("foreground")), color(run.get("background"))
    if "inverse" in names:
        text, ground = ground or back, text or front
    if "dim" in names:
        text = f"color-mix(in srgb,{text or front} 67%,{ground or back})"
    if "concealed" in names:
        text = "transparent"
    lines = ["underline"] * ("underline" in run) + ["line-through"] * ("struck" in names)
    lines += ["overline"] * ("overlined" in names)
    if not lines and run.get("link", "").startswith(("https:", "mailto:")):
        lines = ["underline"]
    kind = {"curly": "wavy", "single": "solid"}.get(run.get("underline"), run.get("underline", "solid"))
    css = {
        "color": text or front,
        "background": ground or "transparent",
        "font-weight": "bold" if "bold" in names else "normal",
        "font-style": "italic" if "italic" in names else "normal",
        "animation-name": "blink" if "blink" in names else "none",
        "text-decoration": f"{' '.join(lines) or 'none'} {kind} {color(run.get('underline_color')) or ''}",
    }
    return ";".join(f"{name}:{value}" for name, value in css.items())


# Compares the rows of the page with lists of runs; the result is the first differences.
COMPARISON = """(rows) => {
  const reference = document.createElement("span");
  lines.after(reference);
  const names = ["color", "backgroundColor", "fontWeight", "fontStyle", "animationName", "textDecorationLine",
    "textDecorationStyle", "textDecorationColor"];
  const looks = (element) => names.map((name) => getComputedStyle(element)[name]).join("; ");
  const differences = [];
  if (lines.children.length !== rows.length) differences.push(`${lines.children.length} rows`);
  rows.forEach(({ runs, scale }, at) => {
    const row = lines.children[at];
    const text = runs.map((run) => run.text).join("");
    if (row.textContent !== text) return differences.push([at, row.textContent, text]);
    const places = [];
    const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) for (let index = 0; index < walker.currentNode.length; index++) {
      places.push([walker.currentNode, index]);
    }
    let start = 0;
    for (const run of runs) {
      reference.style.cssText = run.css;
      const wanted = looks(reference);
      const elements = places.slice(start, start + run.text.length).map(([node]) => node.parentElement);
      for (const element of new Set(elements)) {
        const seen = looks(element.className === "box" ? element.parentElement : element);
        if (seen !== wanted) differences.push([at, run.text, seen, wanted]);
        const href = element.closest("a")?.href ?? null;
        if (href !== run.link) differences.push([at, run.text, href, run.link]);
      }
      const range = new Range();
      const [node, index] = places[start];
      range.setStart(node, index);
      range.setEnd(node, index + 1);
      const box = node.parentElement.className === "box" ? node.parentElement : range;
      const column = (box.getBoundingClientRect().x - row.getBoundingClientRect().x) / cellWidth / scale;
      if (Math.abs(column - run.column) > 0.2) differences.push([at, run.text, "column", column, run.column]);
      start += run.text.length;
    }
  });
  reference.remove();
  return differences.slice(0, 5);
}"""
