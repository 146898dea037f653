"""Rolls back a random tree with files that are hard to change, and checks that nothing outside it is touched and that no
file is lost: hostile_tree.py SCRATCH SEED USER_ID, as root in a mount namespace of its own. `vt` is on PATH."""
import ctypes, os, random, stat, subprocess, sys, threading, time

scratch, seed, user = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
rng = random.Random(seed)
tree, outside, away = (f"{scratch}/{name}" for name in ("tree", "outside", "away"))
libc = ctypes.CDLL(None, use_errno=True)
RESERVED = [".gitmodules", ".GitModules", ".gitattributes", ".GITATTRIBUTES", ".mailmap", ".MailMap", ".Gitignore"]
DIRECTORIES = ["", "d", "d/e", "d/e/f", "g", "g/h"]
NAMES = ["a", "b", "c", "x y", "n\nl", ".vt-rollback-0123456789ab", ".vt-rollback"]
MODES = [0o644, 0o600, 0o755, 0o444, 0o4755, 0o2755, 0o6711, 0o1644]


def vt(*words):
    prefix = [] if user == 0 else ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
    result = subprocess.run(prefix + ["vt", *words], capture_output=True, text=True, errors="replace", timeout=200)
    return result.returncode, result.stdout, result.stderr


def image(top):
    """Kind, mode and contents of each file."""
    found = {}
    for directory, names, files in os.walk(top):
        for name in names + files:
            path = f"{directory}/{name}"
            status = os.lstat(path)
            kind = stat.S_IFMT(status.st_mode)
            text = None
            if kind == stat.S_IFREG:
                with open(path, "rb") as file:
                    text = file.read()
            elif kind == stat.S_IFLNK:
                text = os.readlink(path)
            found[os.path.relpath(path, top)] = (kind, stat.S_IMODE(status.st_mode), text)
    return found


def owners(top):
    return {path: (os.lstat(f"{top}/{path}").st_uid, os.lstat(f"{top}/{path}").st_gid) for path in image(top)}


def write(path, mode=None):
    if os.path.isdir(path) and not os.path.islink(path):
        return
    if os.path.lexists(path):
        os.unlink(path)
    with open(path, "wb") as file:
        file.write(os.urandom(rng.randrange(40)) + b"\r\n$Id$\n")
    os.chown(path, user, user)
    os.chmod(path, rng.choice(MODES) if mode is None else mode)


def any_file(directories=False):
    paths = [path for path, entry in sorted(image(tree).items()) if (entry[0] == stat.S_IFDIR) == directories]
    return f"{tree}/{rng.choice(paths)}" if paths else None


def change():
    directory = f"{tree}/{rng.choice(DIRECTORIES)}"
    if not os.path.isdir(directory):
        return
    action = rng.randrange(6)
    path = f"{directory}/{rng.choice(NAMES)}"
    if action < 3:
        write(path)
    elif action == 3 and any_file():
        os.unlink(any_file())
    elif action == 4 and any_file():
        path = any_file()
        if not os.path.islink(path):
            os.chmod(path, rng.choice(MODES))
    elif not os.path.lexists(path):
        os.mkdir(path, 0o755)
        os.chown(path, user, user)


def hostile():
    """Adds one thing that is hard to change."""
    directory = f"{tree}/{rng.choice(DIRECTORIES)}"
    action = rng.choice(["link", "fifo", "rules", "mount", "file", "flag", "flags", "owner", "owners", "sticky", "hard"])
    if action == "link":
        path = f"{directory}/{rng.choice(RESERVED)}"
        if os.path.lexists(path):
            os.unlink(path)
        os.symlink(f"{outside}/secret", path)
    elif action in ("fifo", "rules"):
        path = f"{directory}/{'.gitignore' if action == 'rules' else 'fifo'}"
        if not os.path.lexists(path):
            os.mkfifo(path)
    elif action == "mount" and directory != tree + "/":
        subprocess.run(["mount", "--bind", outside, directory], check=True)
    elif action == "file":
        path = any_file()
        if path and os.path.isfile(path) and not os.path.islink(path):
            subprocess.run(["mount", "--bind", f"{outside}/secret", path], check=True)
    elif action in ("flag", "flags"):
        path = any_file(directories=action == "flags")
        if path and not is_below_mount(path):
            # Not every file system has attributes.
            subprocess.run(["chattr", rng.choice(["+i", "+a"]), path], stderr=subprocess.DEVNULL)
    elif action in ("owner", "owners", "sticky"):
        path = any_file(directories=action != "owner")
        if path and not is_below_mount(path):
            os.chown(path, 1, 1, follow_symlinks=False)
            if action == "sticky":
                os.chmod(path, 0o1777)
    elif action == "hard" and not os.path.lexists(f"{directory}/hard") and not is_below_mount(directory):
        os.link(f"{outside}/shared", f"{directory}/hard")


def is_below_mount(path):
    while len(path) >= len(tree):
        if os.path.ismount(path) or any(line.split()[4] == path for line in open("/proc/self/mountinfo")):
            return True
        path = os.path.dirname(path)
    return False


class Swapper(threading.Thread):
    """Exchanges a directory with a symbolic link that leads out."""

    def __init__(self, directory):
        super().__init__(daemon=True)
        self.pair = (os.fsencode(f"{tree}/{directory}"), os.fsencode(f"{away}/link"))
        self.ends = threading.Event()

    def run(self):
        exchange = 2
        while not self.ends.is_set():
            for pause in (0.0005, 0.003):
                libc.renameat2(-100, self.pair[0], -100, self.pair[1], exchange)
                time.sleep(pause)


def clean():
    """Removes what prevents a rollback."""
    with open("/proc/self/mountinfo", "rb") as file:
        points = [line.split()[4].decode("unicode_escape") for line in file]
    for point in reversed(points):
        if point.startswith(f"{tree}/"):
            subprocess.run(["umount", point], check=True)
    subprocess.run(["chattr", "-R", "-f", "-i", "-a", tree], stderr=subprocess.DEVNULL)
    for path, entry in image(tree).items():
        name = os.path.basename(path)
        full = f"{tree}/{path}"
        if entry[0] == stat.S_IFIFO or entry[0] == stat.S_IFLNK and name in RESERVED:
            os.unlink(full)
        else:
            os.chown(full, user, user, follow_symlinks=False)
            if entry[0] == stat.S_IFDIR:
                os.chmod(full, 0o755)
            elif entry[0] == stat.S_IFREG:
                os.chmod(full, entry[1] | 0o400)
    os.chown(tree, user, user)


def blob_exists(text):
    git = f"{os.environ['VT_HOME']}/snapshots/{os.listdir(os.environ['VT_HOME'] + '/snapshots')[0]}/git"
    prefix = ["git", "-c", "safe.directory=*", f"--git-dir={git}"]
    name = subprocess.run(prefix + ["hash-object", "--stdin"], input=text, capture_output=True, check=True)
    return subprocess.run(prefix + ["cat-file", "-e", name.stdout.strip()], stderr=subprocess.DEVNULL).returncode == 0


def main():
    for directory in (outside, away, f"{outside}/e", f"{outside}/f"):
        os.makedirs(directory)
    for name in ["secret", "shared", "a", "b", "c", "e/a", "f/a"]:
        with open(f"{outside}/{name}", "w") as file:
            file.write(name)
        os.chmod(f"{outside}/{name}", 0o600)
    os.symlink(outside, f"{away}/link")
    for directory in DIRECTORIES:
        os.mkdir(f"{tree}/{directory}" if directory else tree)
        os.chown(f"{tree}/{directory}", user, user)
        os.chmod(f"{tree}/{directory}", 0o755)
    os.chown(scratch, user, user)
    for _ in range(20):
        change()
    os.chdir("/")
    assert vt("sessions", "create", "s", "--cwd", tree, "--", "sleep", "inf")[0] == 0
    code, _, errors = vt("snapshot", "create", "s", "--name", "first")
    assert code == 0, errors
    first = image(tree)
    for _ in range(12):
        change()
    plain = image(tree)
    # A snapshot of the changes, so that a file that is hidden later is not lost.
    assert vt("snapshot", "create", "s", "--name", "second")[0] == 0
    for _ in range(rng.randrange(4)):
        try:
            hostile()
        except PermissionError:
            # An earlier attribute prevents it.
            pass
    before, others = image(outside), owners(outside)
    second = image(tree)
    swapper = Swapper(rng.choice(["d", "d/e", "g"])) if rng.randrange(3) == 0 and not is_below_mount(f"{tree}/d/e") else None
    if swapper:
        swapper.start()
    for _ in range(4 if swapper else 1):
        began = time.monotonic()
        code, output, errors = vt("rollback", "s", "first", "--yes", "--force")
        # If a FIFO is exchanged for a file just before git opens it, git is ended after two minutes.
        if time.monotonic() - began > 60:
            break
    if swapper:
        swapper.ends.set()
        swapper.join()
    assert image(outside) == before, f"changed outside: {errors}"
    assert owners(outside) == others, "changed owners outside"
    after = image(tree)
    if "nothing has been changed" in errors and not swapper:
        assert after == second, f"changed: {errors}"
    for path, (kind, _, text) in second.items():
        if kind == stat.S_IFREG and (path not in after or after[path][2] != text):
            assert blob_exists(text), f"lost {path!r}: {errors}"
        if kind == stat.S_IFIFO:
            assert path in after, f"lost {path!r}"
    clean()
    code, output, errors = vt("rollback", "s", "first", "--yes", "--force")
    assert code == 0, errors
    restored = image(tree)
    assert restored == first, (
        f"not as before: {[path for path in set(restored) | set(first) if restored.get(path) != first.get(path)]}"
    )
    code, output, errors = vt("rollback", "s", "second", "--yes", "--force")
    assert code == 0, errors
    assert image(tree) == plain
    assert image(outside) == before, "changed outside"
    vt("sessions", "kill", "s")


try:
    main()
finally:
    if os.path.isdir(tree):
        clean()
