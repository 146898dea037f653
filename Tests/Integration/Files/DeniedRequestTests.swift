import Foundation
import TestSupport
import Testing

/// `vt copy` to servers that deny some requests.
@Suite(.crowded)
struct DeniedRequestTests {
    private func lab(denying requests: String) async throws -> Lab {
        let program = "/usr/lib/openssh/sftp-server -P \(requests)"
        return try await Lab(.init(lines: ["Subsystem sftp \(program)"], hasFiles: false))
    }

    private func run(_ lab: Lab, _ script: String) async throws -> ProgramResult {
        try await lab.vt.bash("set -e; cd; umask 022; \(script)", lab.server.home)
    }

    /// SETSTAT, STAT, and each way of renaming.
    @Test(arguments: ["setstat,fsetstat", "stat,lstat,fstat", "rename", "posix-rename", "rename,posix-rename"])
    func `a new and an existing file are delivered`(requests: String) async throws {
        let lab = try await lab(denying: requests)
        let script = """
            head -c 1000000 /dev/urandom >a; truncate -s 2M a; chmod 640 a; echo b >b
            for option in '' '' -p --resume --checksum; do
                for file in a b a; do vt copy $option $file p:$1/f 2>>log || echo "failed: $?"; cmp $file $1/f; done
                vt copy $option - p:$1/f <b 2>>log || test "$option" = --checksum; cmp -s a $1/f || cmp b $1/f
            done
            ls -A $1; cat log >&2
            """
        let result = try await run(lab, script)
        #expect(result.text == "f\n", "\(result.errorText)")
    }

    @Test func `attributes that cannot be set are noted`() async throws {
        let lab = try await lab(denying: "setstat,fsetstat")
        let script = "mkdir -p t/d; echo a >t/d/a; touch -d 2001-01-01 t/d/a t/d; vt copy -r -p t p:$1/ && cat $1/t/d/a"
        let result = try await run(lab, script)
        #expect(result.text == "a\n", "\(result.errorText)")
        for name in ["t", "t/d", "t/d/a"] {
            let note = "cannot change the attributes of '\(lab.server.home)/\(name)': permission denied\n"
            #expect(result.errorText.contains(note), "\(result.errorText)")
        }
    }

    @Test func `a server that reports no attributes is named as the reason`() async throws {
        let program = "\(TestTree.python) \(TestTree.support("hostile_sftp.py")) blank 0"
        let lab = try await Lab(.init(lines: ["Subsystem sftp \(program)"], hasFiles: false))
        let result = try await run(lab, "echo a >a; vt copy p:/f x || echo $?; vt copy a p:/f || echo $?")
        #expect(result.text == "74\n74\n", "\(result.errorText)")
        let message = "vt: the server does not report what kind of file '/f' is\n"
        #expect(result.errorText.components(separatedBy: message).count == 3, "\(result.errorText)")
    }
}
