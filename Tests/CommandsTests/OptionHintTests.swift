import Arguments
import Commands
import Core
import Foundation
import TestSupport
import Testing

/// The options that hints name, read from the sources.
@Suite struct OptionHintTests {
    private static let specs = CommandTable.all.map { $0.type.spec }
    /// The commands that log in to servers and parse their own options.
    private static let connecting = specs.filter { spec in
        Set(spec.exitCodes).isSuperset(of: [.authDenied, .hostKeyUnknown]) && !spec.hasOwnSyntax
    }
    /// Commands that do not log in to the server that they name, or that name profiles.
    private static let exceptions = ["host scan", "host trust", "serve"]

    /// A hint in the sources, with the path of its file.
    private struct Hint: Sendable {
        let path: String
        let text: String

        /// The long names of options in a text.
        static func options(in text: some StringProtocol) -> [String] {
            String(text).matches(of: /(?:^|[^\w-])--([a-z][a-z0-9-]+)/).map { String($0.1) }
        }
    }

    /// All string literals of the sources that follow `hint:` or `hint =`, with their continuation lines.
    private static func hints() throws -> [Hint] {
        let base = "\(TestTree.root)/Sources"
        let names = try FileManager.default.subpathsOfDirectory(atPath: base).filter { $0.hasSuffix(".swift") }
        return try names.sorted().flatMap { name in
            let text = try String(contentsOfFile: "\(base)/\(name)", encoding: .utf8)
            return text.matches(
                of: /(?i)hint(?::|\([^)]*\)[^{]*\{| =)([^"\n]*"(?:[^"\\]|\\.)*"(?:\s*\+ "(?:[^"\\]|\\.)*")*)/
            )
            .map { Hint(path: name, text: String($0.1).replacing(/"\s*\+ "/, with: "")) }
        }
    }

    @Test func `every command that logs in to servers has the options for connecting`() {
        let needed = [
            "user", "port", "identity", "known-hosts", "option", "password-env", "password-file", "password-command",
            "passphrase-env", "passphrase-file", "passphrase-command",
        ]
        for spec in Self.connecting where !Self.exceptions.contains(spec.name) {
            #expect(Set(spec.options.map(\.long)).isSuperset(of: needed), "\(spec.name)")
        }
        #expect(Self.connecting.count > 30)
    }

    @Test func `a command that a hint names has the options that follow it`() throws {
        var count = 0
        for hint in try Self.hints() {
            for match in hint.text.matches(of: /vt ([a-z]+)(?: ([a-z]+))?([^']*)/) {
                let paths = [[String(match.1)] + (match.2.map { [String($0)] } ?? []), [String(match.1)]]
                guard let spec = paths.lazy.compactMap({ CommandTable.tree.command(at: $0) }).first else { continue }
                for option in Hint.options(in: match.3) where !spec.hasOwnSyntax && !match.3.contains(" -- ") {
                    count += 1
                    let known = (spec.options + CommandTable.tree.globalOptions).map(\.long)
                    #expect(known.contains(option), "\(hint.path): 'vt \(spec.name)' has no --\(option)")
                }
            }
        }
        #expect(count > 20)
    }

    @Test func `all commands that connect have the options that hints about connections name`() throws {
        let folders = ["SecureShell/", "Services/Connections/", "Storage/KnownHosts/", "Core/"]
        var count = 0
        for hint in try Self.hints()
        where folders.contains(where: hint.path.hasPrefix) && !hint.path.hasPrefix("Core/Sessions/") {
            let own = hint.text.replacing(/'?vt [a-z]+ [^']*'?/, with: "")
            for option in Hint.options(in: own) {
                count += 1
                for spec in Self.connecting where !Self.exceptions.contains(spec.name) {
                    #expect(spec.options.contains { $0.long == option }, "\(hint.path): 'vt \(spec.name)', --\(option)")
                }
            }
        }
        #expect(count > 3)
    }

    @Test func `a command has the options that the hints in its own file name`() throws {
        var count = 0
        for hint in try Self.hints() where hint.path.hasSuffix("Command.swift") {
            let text = try String(contentsOfFile: "\(TestTree.root)/Sources/\(hint.path)", encoding: .utf8)
            guard let match = text.firstMatch(of: /CommandSpec\(\s*\[("[a-z", ]+")\]/) else { continue }
            let path = match.1.split(separator: ",").map {
                $0.trimmingCharacters(in: CharacterSet(charactersIn: " \""))
            }
            let spec = try #require(CommandTable.tree.command(at: path), "\(hint.path)")
            let own = hint.text.replacing(/vt [a-z]+ [^']*/, with: "")
            for option in Hint.options(in: own) {
                count += 1
                #expect(spec.options.contains { $0.long == option }, "\(hint.path): --\(option)")
            }
        }
        #expect(count > 15)
    }

    @Test func `the settings that hints unset can be unset`() throws {
        let spec = try #require(CommandTable.tree.command(at: ["profile", "edit"]))
        let names = try #require(spec.options.first { $0.long == "unset" }?.value?.choices)
        var count = 0
        for hint in try Self.hints() {
            for match in hint.text.matches(of: /--unset ([a-z-]+)/) {
                count += 1
                #expect(names.contains(String(match.1)), "\(hint.path): --unset \(match.1)")
            }
        }
        #expect(count > 3)
    }
}
