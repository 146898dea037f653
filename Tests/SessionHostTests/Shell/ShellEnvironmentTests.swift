import Core
import Testing
@testable import SessionHost

/// The exported variables of a shell that is paused.
struct ShellEnvironmentTests {
    private func environment(_ words: [UInt8]...) throws -> ShellEnvironment {
        try #require(ShellEnvironment(words.flatMap { $0 + [0] }))
    }

    private func environment(_ words: String...) throws -> ShellEnvironment {
        try #require(ShellEnvironment(words.flatMap { Array($0.utf8) + [0] }))
    }

    @Test func `variables of the process and of readline are omitted, as is what is not a variable`() throws {
        let found = try environment("A=1", "_=/usr/bin/env", "SHLVL=2", "READLINE_LINE=x", "=x", "x", "E=", "B=a=b")
        #expect(found.words == ["A=1", "E=", "B=a=b"])
        #expect(found.value(of: "B") == "a=b")
        #expect(found.value(of: "C") == nil)
    }

    @Test(arguments: [[], Array("A=1".utf8), Array("A=1\0B=2".utf8)])
    func `incomplete contents are rejected`(_ contents: [UInt8]) {
        #expect(ShellEnvironment(contents) == nil)
    }

    @Test func `equal environments need no script`() throws {
        let wanted = try environment("A=1", "B=2")
        #expect(wanted.script(from: try environment("B=2", "SHLVL=1", "A=1"), for: .bash).isEmpty)
    }

    @Test(arguments: [
        (
            ShellKind.bash,
            """
            \\builtin \\unset -v GONE
            \\builtin \\export A='it'\\''s \\
            x'
            \\builtin \\cd -- '/a b'\n
            """
        ),
        (
            ShellKind.zsh,
            """
            \\builtin \\unset -v GONE
            \\builtin \\export A='it'\\''s \\
            x'
            \\builtin \\cd -q -- '/a b'\n
            """
        ),
        (
            ShellKind.fish,
            """
            set -eg GONE
            set -gx A 'it'\\''s \\\\
            x'
            builtin cd '/a b'\n
            """
        ),
    ])
    func `the script makes another environment equal`(_ kind: ShellKind, _ script: String) throws {
        let wanted = try environment("A=it's \\\nx", "PWD=/a b", "SAME=1", "not.a.name=1")
        let current = try environment("A=0", "GONE=1", "PWD=/", "SAME=1")
        #expect(String(decoding: wanted.script(from: current, for: kind), as: UTF8.self) == script)
    }

    @Test func `bytes that are not UTF-8 are kept`() throws {
        let wanted = try environment(Array("A=".utf8) + [0xFF, 0x0A, 0xC3])
        let script = wanted.script(from: try environment(Array("B=".utf8)), for: .zsh)
        #expect(script.contains([0xFF, 0x0A, 0xC3]))
    }
}
