import Foundation
import TestSupport
import Testing

/// `vt ls` and `vt cat` with an OpenSSH server.
@Suite(.crowded)
struct FileCommandTests {
    @Test func `cat prints files byte for byte`() async throws {
        let lab = try await Lab()
        let bytes = noise(3_000_001)
        try Data(bytes).write(to: URL(fileURLWithPath: "\(lab.server.home)/a b"))
        try Data([1, 2]).write(to: URL(fileURLWithPath: "\(lab.server.home)/c"))
        let result = try await lab.vt.run("cat", "p:\(lab.server.home)/a b", "p:\(lab.server.home)/c")
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.output == bytes + [1, 2])
    }

    @Test func `cat stops at the given number of bytes`() async throws {
        let lab = try await Lab()
        let bytes = noise(1 << 20)
        try Data(bytes).write(to: URL(fileURLWithPath: "\(lab.server.home)/a"))
        let result = try await lab.vt.run("cat", "--max-bytes", "300K", "p:\(lab.server.home)/a")
        #expect(result.output == Array(bytes.prefix(300 << 10)))
    }

    @Test func `cat prints files whose size is unknown`() async throws {
        let lab = try await Lab()
        let result = try await lab.vt.run("cat", "p:/proc/sys/kernel/ostype")
        #expect(result.text == "Linux\n", "\(result.errorText)")
    }

    @Test func `cat reports a missing file and a directory`() async throws {
        let lab = try await Lab()
        let missing = try await lab.vt.run("cat", "p:\(lab.server.home)/none")
        #expect(missing.status == .exited(66))
        let directory = try await lab.vt.run("cat", "p:\(lab.server.home)")
        #expect(directory.status == .exited(74))
    }

    @Test func `ls lists directories first, with names containing any bytes`() async throws {
        let lab = try await Lab()
        let directory = "\(lab.server.home)/d"
        let made = try await lab.vt.bash(
            #"mkdir -p "$1/z" && cd "$1" && touch a "$(printf 'n\nl')" "$(printf '\377')" && chmod 640 a"#,
            directory
        )
        #expect(made.status == .exited(0), "\(made.errorText)")
        let list = #"vt ls --json "p:$1" | jq -c '.[] | [.name, .kind, .base64, .mode]'"#
        let names = try await lab.vt.bash(list, directory)
        let lines = names.text.split(separator: "\n")
        try #require(lines.count == 4, "\(names.errorText)")
        #expect(lines[0].hasPrefix(#"["z","directory",null,"#))
        #expect(lines[1] == #"["a","file",null,"0640"]"#)
        #expect(lines[2].hasPrefix(#"["n\nl","file",null,"#))
        #expect(lines[3].hasPrefix("[\"\u{fffd}\",\"file\",\"/w==\","))
        let first = try await lab.vt.run("ls", "--max", "1", "p:\(directory)")
        #expect(first.text.split(separator: "\n").count == 2)
        #expect(first.errorText.contains("only the first 1 files are listed"))
    }

    @Test func `a server without SFTP is reported`() async throws {
        let lab = try await Lab(.init(hasFiles: false))
        let result = try await lab.vt.run("ls", "p:")
        #expect(result.status == .exited(76), "\(result.errorText)")
    }
}
