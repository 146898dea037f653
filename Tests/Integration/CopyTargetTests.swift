import Foundation
import TestSupport
import Testing

/// `vt copy` to and from several OpenSSH servers.
@Suite(.crowded)
struct CopyTargetTests {
    /// Servers with the profiles `s1`, `s2` and `s3`, and the unreachable `down`; all have the tag `all`.
    private final class Targets {
        let lab: Lab
        /// The directories in which SFTP starts, by profile.
        let scratch: ScratchDirectory
        private var servers: [OpenSSHServer] = []

        init() async throws {
            lab = try await Lab()
            scratch = try ScratchDirectory()
            for name in ["s1", "s2", "s3"] {
                let directory = try scratch.makeDirectory(name)
                let server = try await OpenSSHServer(.init(lines: ["ForceCommand internal-sftp -d \(directory)"]))
                servers.append(server)
                let options = ["--no-agent", "--identity", server.userKeys.path(.ed25519), "--tag", "all"]
                try await lab.vt.call(["profile", "add", name, "\(server.user)@127.0.0.1:\(server.port)"] + options)
                    .check()
            }
            try await lab.addProfile("down", port: LoopbackPort.free(), ["--no-agent", "--tag", "all"])
        }

        /// Runs a bash script in the home directory of `vt`, with the directory of the servers as `$1`.
        func run(_ script: String) async throws -> ProgramResult {
            try await lab.vt.bash("set -e; cd; \(script)", scratch.path)
        }
    }

    @Test func `a tree is copied to all targets, and a failed target does not stop the others`() async throws {
        let targets = try await Targets()
        let script = """
            mkdir -p t/d; echo a >t/d/a; head -c 300000 /dev/urandom >t/b
            vt copy -r --tag all t :. || echo $?
            for s in s1 s2 s3; do diff -r t $1/$s/t; done
            """
        let result = try await targets.run(script)
        #expect(result.text == "1\n", "\(result.errorText)")
        #expect(result.errorText.contains("vt: down: "))
        #expect(result.errorText.hasSuffix("vt: 1 of 4 targets failed\n"))
    }

    @Test func `targets are selected by words, patterns and exclusions`() async throws {
        let targets = try await Targets()
        let script = """
            echo a >a
            vt copy a s1,s2:; ls $1/s1 $1/s2 $1/s3 | tr '\\n' ' '; echo
            vt copy a 's*:b' --exclude s1; ls $1/s1 $1/s2 $1/s3 | tr '\\n' ' '; echo
            echo s3 >list; vt copy a @list:c; vt copy a --targets-file list :d; ls $1/s3 | tr '\\n' ' '; echo
            """
        let result = try await targets.run(script)
        let root = targets.scratch.path
        let lists = [
            "\(root)/s1: a  \(root)/s2: a  \(root)/s3: ", "\(root)/s1: a  \(root)/s2: a b  \(root)/s3: b ", "b c d ",
        ]
        #expect(result.text == lists.map { $0 + "\n" }.joined(), "\(result.errorText)")
    }

    @Test func `files from several targets are copied to a directory for each target`() async throws {
        let targets = try await Targets()
        let script = """
            for s in s1 s2 s3; do echo $s >$1/$s/name; mkdir $1/$s/d; echo $s >$1/$s/d/x; done; rm $1/s2/name
            mkdir out; vt copy 's?:name' out || echo $?; (cd out; grep -r . | sort)
            vt copy -r s1,s3:d out; (cd out; grep -r . | sort)
            vt copy s1,s3:name none || echo $?
            """
        let result = try await targets.run(script)
        let lines = [
            "1", "s1/name:s1", "s3/name:s3", "s1/d/x:s1", "s1/name:s1", "s3/d/x:s3", "s3/name:s3", "1",
        ]
        #expect(result.text.split(separator: "\n").map(String.init) == lines, "\(result.errorText)")
        #expect(result.errorText.contains("the directory 'none' does not exist"))
    }

    @Test func `the directory for several targets is created, but not its parents`() async throws {
        let targets = try await Targets()
        let script = """
            for s in s1 s2 s3; do mkdir $1/$s/d; echo $s >$1/$s/d/x; done
            vt copy 's?:d/x' file/; vt copy -r 's?:d' tree/; vt copy -r --resume 's?:d' resumed
            vt copy 's?:d/x' file/; echo f >f; vt copy s1,s2:d/x f/ 2>/dev/null || echo $?
            vt copy s1,s2:d/x no/such/place/ || echo $?; vt copy s1,s2:d/x f/in/ || echo $?
            vt copy --parents s1,s2:d/x its/parents/; find * -name x | sort; ls -d no 2>/dev/null
            """
        let result = try await targets.run(script)
        let lines =
            ["1", "1", "1"] + ["s1", "s2", "s3"].map { "file/\($0)/x" } + ["s1", "s2"].map { "its/parents/\($0)/x" }
            + ["resumed", "tree"].flatMap { root in ["s1", "s2", "s3"].map { "\(root)/\($0)/d/x" } }
        #expect(result.text.split(separator: "\n").map(String.init) == lines, "\(result.errorText)")
        #expect(
            result.errorText.contains(
                """
                vt: s[1-2]: cannot create 'no/such/place/': the directory 'no' does not exist (not-found)
                hint: add --parents to create missing directories

                """
            ),
            "\(result.errorText)"
        )
        #expect(result.errorText.contains("cannot create 'f/in/': 'f' is not a directory"), "\(result.errorText)")
    }

    @Test func `standard input is copied to all targets`() async throws {
        let targets = try await Targets()
        let script = """
            head -c 3000000 /dev/urandom >a; cat a | vt copy - 's*:b'; for s in s1 s2 s3; do cmp a $1/$s/b; done
            """
        let result = try await targets.run(script)
        #expect(result.status == .exited(0), "\(result.errorText)")
    }

    @Test func `the events contain the target with --json`() async throws {
        let targets = try await Targets()
        let script = """
            echo a >a; vt copy --json a --tag all :b | jq -r '[.event, .target, .source, .error.code] | @text' | sort
            """
        let result = try await targets.run(script)
        let failure = #"["failed","down",null,"host.unreachable"]"#
        let lines = ["s1", "s2", "s3"].map { #"["copied","\#($0)","a",null]"# } + [failure]
        #expect(result.text.split(separator: "\n").map(String.init) == lines, "\(result.errorText)")
    }

    @Test(arguments: [
        (["a", ":b"], "':b' requires"), (["--tag", "all", "a", "s1:b"], "--tag requires several targets"),
        (["s*:a", "s1,s2:b"], "but not both"), (["s*:a", "-"], "standard output"),
        (["--exclude", "s1", "a", "s1:b"], "--exclude requires"),
        (["--checksum", "-", "s1:b"], "--checksum cannot be used with '-'"),
    ])
    func `incompatible options and operands are rejected`(words: [String], message: String) async throws {
        let result = try await Vt().call(["copy"] + words).run()
        #expect(result.status == .exited(64))
        #expect(result.errorText.contains(message), "\(result.errorText)")
    }

    @Test func `operands may be invalid UTF-8`() async throws {
        let targets = try await Targets()
        let script = #"""
            n=$(printf 'a\377'); echo a >"$n"; vt copy "$n" s1:; vt copy "s1:$n" b; cmp "$n" b; vt cat "s1:$n"; vt ls "s1:$n"
            """#
        let result = try await targets.run(script)
        #expect(result.text.hasPrefix("a\n") && result.text.hasSuffix("a\u{FFFD}\n"), "\(result.errorText)")
    }
}
