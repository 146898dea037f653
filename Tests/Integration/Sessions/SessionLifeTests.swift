import Foundation
import TestSupport
import Testing

/// `vt sessions` on this machine: creating, ending and removing sessions.
@Suite(.crowded, .sharing)
struct SessionLifeTests {
    private let vt: Vt

    init() throws {
        vt = try Vt()
    }

    private func create(_ name: String, _ options: [String] = [], _ script: String) async throws -> String {
        let id = try await vt.call(["sessions", "create", name] + options + ["--", "sh", "-c", script]).check()
        return String(id.dropLast())
    }

    private func show(_ name: String) async throws -> [String: any Sendable] {
        try await vt.run("sessions", "show", name, "--json").json()
    }

    private func names() async throws -> [String] {
        let list = try await vt.call(["sessions", "list", "--json"]).check()
        let sessions = try JSONSerialization.jsonObject(with: Data(list.utf8)) as? [[String: Any]]
        return try #require(sessions).compactMap { $0["name"] as? String }
    }

    @Test func `a session keeps every byte of its output and its exit status`() async throws {
        _ = try await create("build", [], "echo first; sleep 0.2; echo last; exit 3")
        #expect(try await vt.run("sessions", "wait", "build", "--exit").status == .exited(3))
        #expect(try await vt.check("sessions", "logs", "build") == "first\r\nlast\r\n")
        let session = try await show("build")
        #expect(session["state"] as? String == "exited")
        #expect((session["exit"] as? [String: Int]) == ["code": 3])
        #expect(session["output_bytes"] as? Int == 13)
    }

    @Test func `neither output nor status of a fast program is lost`() async throws {
        let line = """
            for i in {1..40}; do
                vt sessions create s$i -- sh -c 'printf x; exit 7' >/dev/null || echo "create $i"
                vt sessions wait s$i --exit; [[ $? == 7 ]] || echo "status $i"
                [[ $(vt sessions logs s$i) == x ]] || echo "log $i"
            done
            """
        let result = try await vt.bash(line)
        #expect(result.text == "")
        #expect(result.errorText == "")
    }

    @Test(arguments: [["/no/such"], ["no-such-program"], ["--cwd", "/no/such", "--", "true"]])
    func `a program that cannot start leaves no session`(words: [String]) async throws {
        let result = try await vt.call(["sessions", "create", "gone"] + words).run()
        #expect(result.status == .exited(66))
        #expect(result.text == "")
        #expect(try await names() == [])
        let sessions = try FileManager.default.contentsOfDirectory(atPath: "\(vt.stateHome)/sessions")
        #expect(sessions.filter { $0.count == 12 } == [])
    }

    @Test func `--if-exists determines how a name in use is handled`() async throws {
        let first = try await create("build", [], "exec sleep 1000")
        let again = try await vt.run("--json", "sessions", "create", "build", "--", "true")
        #expect(again.status == .exited(73))
        #expect(try again.jsonError()["code"] as? String == "exists")
        #expect(try await create("build", ["--if-exists", "ok"], "true") == first)
        let second = try await create("build", ["--if-exists", "replace"], "exit 4")
        #expect(second != first)
        #expect(try await vt.run("sessions", "wait", second, "--exit").status == .exited(4))
        #expect(try await create("build", ["--if-exists", "ok"], "exec sleep 1000") != second)
        #expect(try await names() == ["build"])
    }

    @Test func `passes arguments, environment and directory unchanged`() async throws {
        let directory = try ScratchDirectory()
        var call = vt.call(
            ["sessions", "create", "words", "--env", "A=x y", "--pass-env", "B", "--cwd", directory.path]
                + ["--size", "100x30", "--term", "vt100", "--tag", "ci", "--", "sh", "-c"]
                + ["stty size; pwd; env; printf '<%s>' \"$@\"", "sh", "a b", "", "'$HOME'"],
            environment: ["B": "b", "RUNNER_TRACKING_ID": "1", "SECRET": "s"]
        )
        call.arguments.append([0x61, 0xff])
        let id = String(try await call.check().dropLast())
        _ = try await vt.run("sessions", "wait", id, "--exit")
        let output = try await vt.run("sessions", "logs", id).output
        let tail = Array("<a b><><'$HOME'><a".utf8) + [0xff] + Array(">".utf8)
        #expect(output.suffix(tail.count) == tail[...])
        let lines = String(decoding: output, as: UTF8.self).components(separatedBy: "\r\n")
        #expect(lines.prefix(2) == ["30 100", directory.path])
        #expect(Set(lines).isSuperset(of: ["A=x y", "B=b", "TERM=vt100", "VT_SESSION=\(id)", "HOME=\(vt.home)"]))
        #expect(lines.allSatisfy { !$0.hasPrefix("RUNNER_TRACKING_ID") && !$0.hasPrefix("SECRET") })
        #expect(try await show("words")["tags"] as? [String] == ["ci"])
    }

    @Test func `names a variable and a directory that are not valid UTF-8`() async throws {
        let line = """
            cd "$HOME" && mkdir $'\\xff' && cd $'\\xff' && export A8=$'\\xff'
            vt sessions create s --pass-env A8 -- true; vt sessions create s --cwd x -- true
            vt sessions create s --cwd / --pass-env A8 -- true >/dev/null
            """
        let refusal = """
            vt: the name of the current directory is not valid UTF-8, so no session can start in it
            hint: to start in another directory, use '--cwd DIR' with an absolute path

            """
        let note = "vt: the value of variable 'A8' is not valid UTF-8, so it is not passed\n"
        #expect(try await vt.bash(line).errorText == note + refusal + refusal + note)
    }

    @Test func `passes the variables that a pattern matches, except those that a session gets anyway`() async throws {
        let call = vt.call(
            ["sessions", "create", "s", "--pass-env", "CI_*", "--pass-env", "*", "--pass-env", "NO*", "--", "env"],
            environment: ["CI_A": "1", "CI_B": "", "B": "2 3", "VT_SHARE": "off", "OLDPWD": "/old", "SHLVL": "7"]
        )
        let result = try await call.run()
        #expect(result.errorText == "vt: variable 'NO*' is not set, so it is not passed\n")
        _ = try await vt.run("sessions", "wait", "s", "--exit")
        let lines = try await vt.run("sessions", "logs", "s").text.components(separatedBy: "\r\n")
        #expect(lines.filter { $0.hasPrefix("CI_") || $0.hasPrefix("B=") }.sorted() == ["B=2 3", "CI_A=1"])
        #expect(lines.allSatisfy { !$0.hasPrefix("VT_SHARE") && !$0.hasPrefix("OLDPWD") && !$0.hasPrefix("SHLVL") })
        #expect(lines.count { $0.hasPrefix("PATH=") } == 1)
        let names = try #require(try await show("s")["environment_names"] as? [String])
        #expect(names.count { $0 == "CI_A" } == 1)
    }

    @Test func `create returns immediately, and the holder keeps no inherited descriptors`() async throws {
        let line = """
            exec 7> >(cat)
            x=$(vt sessions create held -- sleep 1000 2>&1)
            echo "$x"
            vt sessions create piped -- sleep 1000 2>&1 </dev/null | cat
            """
        let result = try await vt.bash(line, deadline: .seconds(20))
        #expect(result.text.split(separator: "\n").map(\.count) == [12, 12])
        let program = try #require(try await show("held")["pid"] as? Int)
        let holder =
            try String(contentsOfFile: "/proc/\(program)/stat", encoding: .utf8)
            .split(separator: ") ").last?.split(separator: " ")[1] ?? ""
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(holder)/fd").compactMap { number in
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(holder)/fd/\(number)")
        }
        #expect(!open.isEmpty)
        #expect(open.filter { $0.hasPrefix("pipe:") || $0.hasPrefix("/dev/pts") } == [])
    }

    @Test func `the holder closes what it opens to examine a program`() async throws {
        // Perl sleeps in select(2) without a set of descriptors.
        _ = try await create("asleep", [], "exec perl -e 'print qq(ready\\n); select undef, undef, undef, 1000'")
        try await vt.check("sessions", "wait", "asleep", "--match", "ready", "--from", "0")
        let program = try #require(try await show("asleep")["pid"] as? Int)
        let count = "ls /proc/$(ps -o ppid= -p \(program) | tr -d ' ')/fd | wc -l"
        let before = try #require(Int(try await vt.bash(count).text.dropLast()))
        for _ in 0..<20 { _ = try await show("asleep") }
        let after = try #require(Int(try await vt.bash(count).text.dropLast()))
        // The connections of the last calls might still be open.
        #expect(after < before + 10, "\(before) \(after)")
    }

    @Test func `the exit status of a killed program contains the signal`() async throws {
        _ = try await create("victim", [], "exec sleep 1000")
        #expect(try await vt.run("sessions", "kill", "victim", "--signal", "KILL").status == .exited(0))
        #expect(try await vt.run("sessions", "wait", "victim", "--exit").status == .exited(137))
        let exit = try await show("victim")["exit"] as? [String: any Sendable]
        #expect(exit?["signal"] as? String == "KILL")
        #expect(exit?["core_dumped"] as? Bool == false)
    }

    @Test func `a killed holder leaves a lost session and its log`() async throws {
        _ = try await create("lost", [], "echo kept; exec sleep 1000")
        _ = try await create("other", [], "exec sleep 1000")
        _ = try await vt.check("sessions", "wait", "lost", "--match", "kept", "--from", "0")
        let program = try #require(try await show("lost")["pid"] as? Int)
        _ = try await vt.bash("kill -9 $(ps -o ppid= -p \(program))")
        let wait = try await vt.run("--json", "sessions", "wait", "lost", "--exit")
        #expect(wait.status == .exited(255))
        #expect(try wait.jsonError()["code"] as? String == "ended")
        let session = try await show("lost")
        #expect(session["state"] as? String == "lost")
        #expect(session["exit"] == nil)
        #expect(try await vt.check("sessions", "logs", "lost") == "kept\r\n")
        #expect(try await show("other")["state"] as? String == "running")
        #expect(try await vt.run("sessions", "kill", "lost").status == .exited(0))
        #expect(try await vt.run("sessions", "cleanup", "lost").status == .exited(0))
        #expect(try await names() == ["other"])
    }

    @Test func `kill reaches processes outside the process group`() async throws {
        _ = try await create(
            "tree",
            [],
            "setsid sleep 86391 & setsid -f sleep 86392; trap '' TERM HUP; echo up; wait; sleep 86393"
        )
        _ = try await vt.check("sessions", "wait", "tree", "--match", "up", "--from", "0")
        let result = try await vt.run("sessions", "kill", "tree", "--grace", "300ms")
        #expect(result.status == .exited(0), "\(result.errorText)")
        let left = try await vt.bash("pgrep -f '^sleep 8639[123]'")
        #expect(left.text == "")
        #expect(try await show("tree")["state"] as? String == "exited")
    }

    @Test func `repeated and concurrent cleanup with live sessions is safe`() async throws {
        for name in ["a", "b", "c"] {
            _ = try await create(name, [], "true")
            #expect(try await vt.run("sessions", "wait", name, "--exit").status == .exited(0))
        }
        _ = try await create("live", [], "exec sleep 1000")
        #expect(try await vt.run("sessions", "cleanup").status == .exited(64))
        #expect(try await vt.run("sessions", "cleanup", "live").status == .exited(75))
        #expect(try await vt.check("sessions", "cleanup", "--all", "--dry-run").split(separator: "\n").count == 3)
        let both = try await vt.bash(
            "vt sessions cleanup --all >\(vt.home)/1 & vt sessions cleanup --all >\(vt.home)/2; wait $! && cat \(vt.home)/[12]"
        )
        #expect(both.status == .exited(0), "\(both.errorText)")
        #expect(Set(both.text.split(separator: "\n")).count == 3)
        #expect(try await vt.check("sessions", "cleanup", "--all") == "")
        #expect(try await names() == ["live"])
    }

    @Test func `does not create a session whose ID cannot be printed`() async throws {
        let result = try await vt.bash("vt sessions create gone -- touch \"$HOME/ran\" >&-")
        #expect(result.status == .exited(74))
        #expect(try await names() == [])
        #expect(!FileManager.default.fileExists(atPath: "\(vt.home)/ran"))
    }

    @Test func `PWD contains the requested directory`() async throws {
        try FileManager.default.createSymbolicLink(atPath: "\(vt.home)/link", withDestinationPath: "/usr/share")
        _ = try await create("here", ["--cwd", "\(vt.home)/link"], "printenv PWD; pwd -P")
        _ = try await vt.run("sessions", "wait", "here", "--exit")
        #expect(try await vt.check("sessions", "logs", "here") == "\(vt.home)/link\r\n/usr/share\r\n")
    }

    @Test func `a command line given as one word produces a hint`() async throws {
        let result = try await vt.run("sessions", "create", "x", "--", "make -j8")
        #expect(result.status == .exited(66))
        #expect(result.errorText.hasSuffix("hint: to run a command line: -- sh -c 'make -j8'\n"))
    }

    @Test func `rejects a state directory that is not UTF-8 instead of using another one`() async throws {
        let result = try await vt.bash("VT_HOME=$HOME/$'\\xff' vt sessions list")
        #expect(result.status == .exited(78), "\(result.errorText)")
        let other = try await vt.bash("unset VT_HOME; XDG_STATE_HOME=$HOME/$'\\xff' vt sessions list")
        #expect(other.status == .exited(78), "\(other.errorText)")
    }

    /// With few file descriptors, a command either succeeds or reports the error.
    @Test func `running out of descriptors is an error, not a trap`() async throws {
        let line = """
            for n in 4 6 8 10 12 14 16 17 18 19 20 21 22 24 26 28 30 34; do
                for words in version 'sessions list' "sessions create s$n -- true" "exec local true" 'doctor'; do
                    (ulimit -n $n; exec timeout 60 vt $words) >/dev/null 2>&1
                    case $? in 0|1|71|255) ;; *) echo "$n $words: $?" ;; esac
                done
            done
            """
        let result = try await vt.bash(line, deadline: .seconds(600))
        #expect(result.text == "")
    }

    @Test(arguments: [("exec local true", 255), ("sessions list", 71)] as [(String, Int32)])
    func `exits with the right status if no descriptors are left`(_ words: String, _ status: Int32) async throws {
        let result = try await vt.bash("ulimit -n 8; exec vt \(words)")
        #expect(result.status == .exited(status))
        // The message omits the error code if the exit status implies it.
        let message = "vt: cannot open files: too many open files" + (status == 255 ? " (system)" : "")
        #expect(result.errorText == "\(message)\nhint: raise the limit, for example with 'ulimit -n 1024'\n")
    }

    @Test func `a session whose holder is out of file descriptors is shown and killed`() async throws {
        let script = """
            (ulimit -n 24; vt sessions create s -- sh -c 'echo up; exec sleep 1000' >/dev/null)
            for i in $(seq 40); do vt sessions logs -f s >"$1.$i" 2>/dev/null & done
            until vt sessions show s 2>&1 >/dev/null | grep -q 'out of file descriptors'; do :; done
            vt sessions show s --json | jq -r .state
            vt sessions send s x; vt sessions wait s --exit --timeout 60s
            vt sessions kill s --remove | wc -l; vt sessions list --json | jq length
            kill $(jobs -p) 2>/dev/null; wait; rm -f "$1".*
            """
        let result = try await vt.bash(script, "\(vt.home)/out")
        #expect(result.text == "running\n1\n0\n")
        // None of the messages claims that the holder or the session is gone.
        let message = "vt: the holder of 's' is out of file descriptors"
        let note = "\(message); using the last recorded state"
        #expect(result.errorText == "\(note)\n\(message)\n\(message) (system)\n\(note)\n")
    }

    @Test func `a wait that fails tells how the program ended, here and on a server`() async throws {
        let script = """
            vt sessions create "$1s" -- sh -c 'echo out; exit 3' >/dev/null
            vt --json sessions wait "$1s" --match ready 2>&1 >/dev/null \\
                | jq -c '.error | [.code, .reason, .program_exit.code, (.message | contains("exit status 3"))]'
            vt --json sessions wait "$1s" --prompt 2>&1 >/dev/null | jq -c '.error | [.reason, .program_exit.code]'
            """
        let expected = "[\"negative\",\"no-match\",3,true]\n[\"ended\",3]\n"
        let local = try await vt.bash(script, "")
        #expect(local.text == expected, "\(local.errorText)")
        let lab = try await Lab()
        let directory = "\(lab.server.home)/.local/bin"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: "\(directory)/vt", withDestinationPath: TestTree.vt)
        try await lab.meet()
        let remote = try await lab.vt.bash(script, "p:")
        #expect(remote.text == expected, "\(remote.errorText)")
    }

    @Test func `concurrent replacements leave one session`() async throws {
        let line = """
            for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
                (vt sessions create one --if-exists replace -- sleep 1000 >/dev/null || echo $?) &
            done
            wait
            vt sessions list --json | jq length
            """
        let result = try await vt.bash(line)
        #expect(result.text == "1\n", "\(result.errorText)")
    }

    @Test func `reports output that is missing from the log`() async throws {
        let id = try await vt.check("sessions", "create", "torn", "--", "sh", "-c", "seq 1000; echo TAIL")
            .trimmingCharacters(in: .newlines)
        try await vt.check("sessions", "wait", "torn", "--exit")
        let directory = "\(vt.stateHome)/sessions/\(id)"
        let whole = try #require(FileManager.default.contents(atPath: "\(directory)/output")).count
        try Data("1\r\n2\r\n".utf8).write(to: URL(fileURLWithPath: "\(directory)/output"))
        let note = "output of 'torn' from offset 6 to \(whole) was not logged\n"
        #expect(try await vt.run("record", "torn", "-o", "\(vt.home)/x.cast").errorText.contains(note))
        #expect(try await vt.run("sessions", "screen", "torn").errorText == "vt: \(note)")
        #expect(try await vt.run("sessions", "logs", "torn").errorText.contains("from offset 6 to \(whole) is not"))
        let wait = try await vt.run("-v", "sessions", "wait", "torn", "--match", "TAIL")
        #expect(wait.status == .exited(1))
        #expect(wait.errorText.contains("caused by: output from offset 6 to \(whole) was not logged"))
    }

    @Test func `reports an incomplete timeline`() async throws {
        let id = try await vt.check("sessions", "create", "torn", "--", "sh", "-c", "seq 1000")
            .trimmingCharacters(in: .newlines)
        try await vt.check("sessions", "wait", "torn", "--exit")
        try Data().write(to: URL(fileURLWithPath: "\(vt.stateHome)/sessions/\(id)/events"))
        let record = try await vt.run("record", "torn", "-o", "\(vt.home)/x.cast")
        #expect(
            record.errorText.contains("the timeline is incomplete: output from offset 0 to "),
            "\(record.errorText)"
        )
    }

    @Test func `sessions wait --idle fails if the session is lost`() async throws {
        _ = try await create("lost", [], "while [ ! -e $HOME/go ]; do sleep 0.05; done; kill -9 $PPID; sleep 1000")
        _ = try await vt.bash("touch $HOME/go")
        let result = try await vt.run("sessions", "wait", "lost", "--idle", "30s", deadline: .seconds(20))
        #expect(result.status == .exited(1))
        #expect(result.errorText.contains("'lost' was lost"), "\(result.errorText)")
    }

    @Test func `cleanup selects sessions by state, tag and profile`() async throws {
        for (name, script) in [
            ("a", "exit 0"), ("b", "exit 0"), ("lost", "while [ ! -e $HOME/go ]; do sleep 0.05; done; kill -9 $PPID"),
        ] {
            _ = try await create(name, name == "a" ? ["--tag", "x", "--tag", "y"] : ["--tag", "x"], script)
            if name == "lost" { _ = try await vt.bash("touch $HOME/go") }
            _ = try await vt.run("sessions", "wait", name, "--exit")
        }
        #expect(try await vt.run("sessions", "cleanup", "--state", "running").status == .exited(64))
        let lost = try await show("lost")["id"] as? String
        #expect(try await vt.check("sessions", "cleanup", "--state", "lost", "--dry-run").dropLast() == lost ?? "")
        let both = try await vt.check("sessions", "cleanup", "local", "--tag", "x", "--tag", "y", "--dry-run")
        #expect(try await both.dropLast() == show("a")["id"] as? String ?? "")
        #expect(try await vt.run("sessions", "cleanup", "nonesuch", "--all").status == .exited(66))
        #expect(try await vt.run("sessions", "cleanup", "--all-profiles", "a").status == .exited(64))
        #expect(try await vt.check("sessions", "cleanup", "--all-profiles", "--state", "exited").count == 26)
        #expect(try await names() == ["lost"])
    }
}
