import Foundation
import TestSupport
import Testing

/// Programs `vt-NAME` on PATH, which run as `vt NAME`.
@Suite struct PluginTests {
    private let scratch: ScratchDirectory

    /// Creates programs named `vt-hello`, `vt-list`, `vt-fail`, `vt-exec` and `vt-cat`.
    init() throws {
        scratch = try ScratchDirectory()
        for (name, program) in ["hello": "echo", "list": "echo", "fail": "false", "exec": "false", "cat": "false"] {
            let link = scratch.path("vt-\(name)")
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/bin/\(program)")
        }
        try scratch.write("not executable", to: "vt-notes")
    }

    private func run(_ words: String...) async throws -> ProgramResult {
        let path = "\(scratch.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
        return try await Vt().call(words, environment: ["PATH": path]).run()
    }

    @Test func `a plugin is run with the words after its name, and vt exits with its status`() async throws {
        #expect(try await run("hello", "a b", "--json", "").text == "a b --json \n")
        #expect(try await run("fail", "--help").status == .exited(1))
        // The name of a hint, but not of a command.
        #expect(try await run("list", "-x").text == "-x\n")
    }

    @Test func `commands of vt take precedence, and other words are unknown`() async throws {
        #expect(try await run("exec", "local", "--", "true").status == .exited(0))
        let unknown = try await run("notes")
        #expect(unknown.status == .exited(64) && unknown.errorText.hasPrefix("vt: unknown command 'vt notes'\n"))
        #expect(try await run("hell").errorText.hasPrefix("vt: unknown command 'vt hell'\n"))
    }

    @Test func `help and completion list the plugins`() async throws {
        let help = try await run("help").text
        let plugins = try #require(help.split(separator: "Plugins:\n").last?.split(separator: "\n\n").first)
        let names = plugins.split { $0.isWhitespace }.filter { !$0.contains("/") }
        #expect(names == ["fail", "hello", "list"])
        #expect(try await run("complete", "plugins", "--", "he").text == "hello\n")
        #expect(try await run("help", "hello").errorText.hasPrefix("vt: no help for 'hello', which is the program '/"))
    }
}
