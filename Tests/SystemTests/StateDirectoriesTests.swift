import Core
import System
import Testing

@Suite struct StateDirectoriesTests {
    private static let account = Account(name: "ann", home: "/home/ann")

    private static func directories(_ variables: [String: String]) throws -> StateDirectories {
        try StateDirectories(Environment(variables), account: { account })
    }

    @Test func `VT_HOME contains all of vt's files`() throws {
        let directories = try Self.directories(["VT_HOME": "/v", "XDG_CONFIG_HOME": "/c", "HOME": "/h"])
        #expect(directories.profiles == "/v/profiles.json")
        #expect(directories.knownHosts == "/v/known_hosts")
        #expect(directories.secrets == "/v/secrets.json")
        #expect(directories.home == "/h")
    }

    @Test(arguments: ["vt", "./vt", "~/vt"])
    func `a relative VT_HOME is an error`(_ path: String) {
        let failure = #expect(throws: VTError.self) { try Self.directories(["VT_HOME": path, "HOME": "/h"]) }
        #expect(failure?.code == .config)
        #expect(failure?.hint == "set VT_HOME to an absolute path")
    }

    @Test func `the XDG directories separate configuration and state`() throws {
        let directories = try Self.directories(["XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s", "HOME": "/h"])
        #expect(directories.profiles == "/c/vt/profiles.json")
        #expect(directories.secrets == "/s/vt/secrets.json")
    }

    @Test func `ignores empty and relative variables`() throws {
        let directories = try Self.directories(["HOME": "/h", "VT_HOME": "", "XDG_CONFIG_HOME": "relative"])
        #expect(directories.configuration == "/h/.config/vt")
        #expect(directories.state == "/h/.local/state/vt")
    }

    @Test func `without HOME, the passwd entry is used`() throws {
        #expect(try Self.directories([:]).configuration == "/home/ann/.config/vt")
    }

    @Test func `fails without a home directory`() {
        let failure = #expect(throws: VTError.self) { try StateDirectories(Environment([:]), account: { nil }) }
        #expect(failure?.code == .config)
    }

    @Test func `VT_HOME suffices without a home directory`() throws {
        let directories = try StateDirectories(Environment(["VT_HOME": "/v"]), account: { nil })
        #expect(directories.home == nil && directories.state == "/v")
    }

    @Test func `this user has an account`() throws {
        #expect(try #require(Account.current()).home.hasPrefix("/"))
    }

    @Test func `identifiers are unique hexadecimal numbers`() {
        let (first, second) = (RandomIdentifier.make(), RandomIdentifier.make())
        #expect(first != second)
        #expect(first.count == 32 && first.allSatisfy { $0.isHexDigit && !$0.isUppercase })
    }
}
