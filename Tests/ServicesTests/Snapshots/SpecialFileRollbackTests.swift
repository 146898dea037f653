import Foundation
import TestSupport
import Testing

/// Rollbacks of trees with files that cannot be changed, or of other users.
@Suite(.asRoot) struct SpecialFileRollbackTests {
    private let vt: Vt
    private let tree: String

    init() throws {
        vt = try Vt()
        tree = "\(vt.home)/tree"
        try FileManager.default.createDirectory(atPath: tree, withIntermediateDirectories: true)
    }

    /// Defines `user`, which runs a command as an ordinary user, `state`, which prints the tree, and `vt`, which the
    /// ordinary user runs after `as_user`.
    private static let functions = """
        set -e
        chmod 755 ~ ~/..
        mkdir -p ~/n
        chown 65534:65534 ~/n "$1"
        cd "$1"
        user() { setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=$(echo ~)/n VT_HOME=$(echo ~)/n/vt "$@"; }
        state() { find . -printf '%p %m %l ' -exec sh -c 'test ! -f "$1" || cat "$1"' sh {} \\; | sort; }
        as_user() { vt() { user vt "$@"; }; }
        begin() {
            vt sessions create s --cwd "$PWD" -- sleep inf >/dev/null
            vt snapshot create s --name start >/dev/null
            before=$(state)
        }
        # The rollback has been refused, and nothing has changed; it is finished once the reason is gone.
        refused() {
            cat ../out >&2
            test $status != 0
            grep -q 'nothing has been changed' ../out
            test "$(state)" = "$changed"
        }
        """

    private func run(_ line: String) async throws {
        let script = """
            \(Self.functions)
            back() { status=0; vt rollback s start --yes --force >../out 2>&1 || status=$?; }
            check_refused() { changed=$(state); back; refused; }
            check_done() { back; cat ../out >&2; test $status = 0; test "$(state)" = "$before"; }
            trap 'chattr -R -i -a . 2>/dev/null || true' EXIT
            \(line)
            """
        var call = ProgramCall(
            "/usr/bin/unshare",
            ["--mount", "--propagation", "private", "bash", "-c", script, "bash", tree]
        )
        call.environment.merge(vt.environment) { $1 }
        let result = try await call.run()
        #expect(result.status == .exited(0), "\(result.errorText)")
    }

    @Test(arguments: [
        // A bind mount of the same file system, in which files were changed, added or removed.
        "echo 2 >d/a", "echo 2 >d/new", "rm d/b", "chmod 600 d/a", "chmod 700 d", "mkdir d/e", "rm -r d/sub",
        "chmod 700 d/sub",
    ])
    func `a rollback does not change a directory that is mounted`(_ change: String) async throws {
        try await run(
            """
            mkdir d d/sub; echo 1 >d/a; echo 1 >d/b; echo 1 >x; echo 1 >d/sub/s
            begin
            cp -a d ../other
            mount --bind ../other d
            \(change); echo 2 >x
            check_refused
            umount d
            check_done
            """
        )
    }

    @Test(arguments: ["echo 2 >a", "chmod 600 a"])
    func `a rollback does not change a file that is mounted`(_ change: String) async throws {
        try await run(
            """
            echo 1 >a; echo 1 >x
            begin
            echo 1 >../other
            mount --bind ../other a
            \(change); echo 2 >x
            check_refused
            umount a
            check_done
            """
        )
    }

    @Test(arguments: [
        "echo 2 >d/a; chattr +i d/a", "echo 2 >d/new; chattr +i d/new", "echo 2 >d/new; chattr +i d",
        "rm d/a; chattr +i d", "chmod 600 d/a; chattr +i d/a", "chmod 700 d; chattr +i d",
        "echo 2 >d/new; chattr +a d", "echo 2 >d/a; chattr +a d/a", "mkdir d/e; chattr +i d",
        "mkdir d/e; chattr +i d/e", "rm -r e; chattr +i .",
    ])
    func `a rollback that cannot change a file changes nothing`(_ change: String) async throws {
        try await run(
            """
            mkdir d e; echo 1 >d/a; echo 1 >e/b; echo 1 >x
            begin
            echo 2 >x; \(change)
            check_refused
            chattr -R -i -a .
            check_done
            """
        )
    }

    @Test(arguments: [
        // Directories and files of another owner, and a sticky directory.
        "echo 2 >d/new; chown -R 0:0 d", "echo 2 >d/a; chown 0:0 d", "rm d/a; chown 0:0 d", "chmod 700 d; chown 0:0 d",
        "chmod 664 d/a; chown 0:0 d/a", "chmod 1777 d; echo 2 >d/new; chown 0:0 d d/new", "chown 0:0 d; rmdir d/e",
        "chmod 1777 d; chown 0:0 d; echo 2 >d/a; chown 1:1 d/a",
    ])
    func `an ordinary user's rollback of files of others changes nothing`(_ change: String) async throws {
        try await run(
            """
            umask 022
            as_user
            user sh -c 'mkdir d d/e; echo 1 >d/a; echo 1 >x; chmod 755 d'
            begin
            user sh -c 'echo 2 >x'; \(change)
            check_refused
            chmod a-t d; chown -R 65534:65534 d
            check_done
            """
        )
    }

    @Test func `files of others in directories of the user are replaced`() async throws {
        try await run(
            """
            as_user
            user sh -c 'mkdir d; echo 1 >d/a; echo 1 >d/b; chmod 755 d'
            begin
            echo 2 >d/a; chown 0:0 d/a; rm d/b; echo 2 >d/c
            check_done
            """
        )
    }

    @Test(arguments: [4755, 2755, 6755, 1644, 4644])
    func `special modes are restored by an ordinary user`(_ mode: Int) async throws {
        try await run(
            """
            as_user
            user sh -c 'echo 1 >a; chmod \(mode) a; mkdir d; chmod 2775 d; echo 1 >d/b; chmod \(mode) d/b'
            begin
            user sh -c 'echo 2 >a; rm d/b'
            check_done
            """
        )
    }

    @Test func `files on another file system are not changed`() async throws {
        try await run(
            """
            mkdir d; echo 1 >d/a; echo 1 >x
            begin
            mount -t tmpfs tmpfs d
            echo 2 >d/b; echo 2 >x
            check_refused
            umount d
            check_done
            """
        )
    }
}
