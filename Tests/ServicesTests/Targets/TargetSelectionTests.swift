import Core
import CoreTestSupport
import Services
import Testing

@Suite struct TargetSelectionTests {
    private let profiles: [String: Profile]

    init() throws {
        profiles = try MemoryProfileStore(
            try .named("web-1") { $0.tags = ["prod"] },
            try .named("web-2") { $0.tags = ["prod", "canary"] },
            try .named("web-10"),
            try .named("db") { $0.tags = ["prod"] }
        ).load()
    }

    private func texts(
        _ words: String,
        excluding exclusions: String...,
        limit: TargetLimit? = nil,
        lists: [String: String] = [:]
    ) throws -> [String] {
        let selection = TargetSelection(
            .words(try TargetWord.list(words)),
            exclusions: try exclusions.flatMap { try TargetWord.list($0) },
            limit: limit
        )
        #expect(Set(selection.files) == Set(lists.keys))
        let lists = try lists.mapValues { try TargetList.parse(Array($0.utf8), name: "the list") }
        return try selection.targets(lists: lists) { profiles }.map(\.text)
    }

    @Test func `patterns select profiles by name, sorted, between the other words`() throws {
        #expect(try texts("db,web-?,local") == ["db", "web-1", "web-2", "local"])
        #expect(try texts("web*") == ["web-1", "web-2", "web-10"])
        #expect(try texts("*") == ["db", "web-1", "web-2", "web-10"])
        let list = ["list": "web-[01-02] # two"]
        #expect(try texts("web-[2,1],@list", lists: list) == ["web-2", "web-1", "web-01", "web-02"])
    }

    @Test func `a pattern that matches nothing is an error`() throws {
        let error = #expect(throws: VTError.self) { try texts("web-1,mail*") }
        #expect(error?.code == .notFound)
        #expect(error?.message == "no profile matches 'mail*'")
    }

    @Test(arguments: ["*@web", "ann@web-*", "a b*", "@", "", "a,,b", "web-[]", "web-[2-1]"])
    func `malformed words are rejected`(_ word: String) throws {
        let error = #expect(throws: VTError.self) { try TargetWord.list(word) }
        #expect(error?.code == .usage)
    }

    @Test func `a target selected by several words is used once, in its first position`() throws {
        #expect(try texts("web-2,web-*,web-1,ann@h,ann@h") == ["web-2", "web-1", "web-10", "ann@h"])
    }

    @Test func `exclusions are names, patterns, tags, servers and files`() throws {
        #expect(try texts("*", excluding: "web-1") == ["db", "web-2", "web-10"])
        #expect(try texts("*", excluding: "web-?", "db") == ["web-10"])
        #expect(try texts("*", excluding: "prod") == ["web-10"])
        #expect(try texts("ann@web-1,bob@web-2,bob@h", excluding: "canary,bob@h") == ["ann@web-1"])
        #expect(try texts("local,web-1", excluding: "local") == ["web-1"])
        #expect(try texts("*", excluding: "@down", lists: ["down": "db\nweb-?\n"]) == ["web-10"])
    }

    @Test(arguments: ["web-12", "mail*", "bob@h"])
    func `an exclusion that matches nothing is an error`(_ word: String) throws {
        let error = #expect(throws: VTError.self) { try texts("web-*,ann@h", excluding: "web-1", word) }
        #expect(error?.code == .notFound)
        #expect(error?.message == "cannot exclude '\(word)': no target, profile or tag matches")
    }

    @Test func `an exclusion can name a profile or tag that is not selected, and a file can list any server`() throws {
        #expect(try texts("web-1", excluding: "db", "canary", "local", "web-2") == ["web-1"])
        #expect(try texts("web-1", excluding: "@down", lists: ["down": "bob@h\ndb\n"]) == ["web-1"])
        #expect(throws: VTError.self) { try texts("web-1", excluding: "@down", lists: ["down": "bob@h\ndbb\n"]) }
    }

    @Test func `excluding everything is an error`() throws {
        #expect(throws: VTError(.notFound, "all targets are excluded")) { try texts("web-*", excluding: "*") }
    }

    @Test(
        arguments: [
            (.count(2), ["db", "web-1"]), (.count(9), ["db", "web-1", "web-2", "web-10"]),
            (.percent(50), ["db", "web-1"]), (.percent(1), ["db"]), (.percent(51), ["db", "web-1", "web-2"]),
        ] as [(TargetLimit, [String])]
    )
    func `a limit selects the first targets, and a percentage is rounded up`(
        _ limit: TargetLimit,
        _ expected: [String]
    ) throws {
        #expect(try texts("*,db", limit: limit) == expected)
    }

    @Test(arguments: ["0", "0%", "101%", "-1", "", "%", "1.5%", "x"])
    func `malformed limits are rejected`(_ text: String) {
        #expect(throws: VTError.self) { try TargetLimit(parsing: text) }
    }

    @Test func `a list has one target per line, with comments`() throws {
        let list = "# all servers\n\n  web-1\t# the first\r\nann@10.0.0.1:2222\na#b@h\nweb-1?\nssh://h2\nlocal"
        let expected = ["web-1", "ann@10.0.0.1:2222", "a#b@h", "web-10", "ssh://h2", "local"]
        #expect(try texts("@list", lists: ["list": list]) == expected)
    }

    @Test func `a byte order mark at the beginning of a list is ignored`() throws {
        #expect(try texts("@list", lists: ["list": "\u{feff}web-1\ndb\n"]) == ["web-1", "db"])
    }

    @Test(
        arguments: [
            ("web\n@other\n", "the list, line 2: a list of targets cannot include another file"),
            ("a b", "the list, line 1: more than one target on a line"),
            ("\n\n-x@h:0", "the list, line 3: invalid user name in '-x@h:0'"),
        ]
    )
    func `an error in a list names the line`(_ list: String, _ message: String) {
        let error = #expect(throws: VTError.self) { try TargetList.parse(Array(list.utf8), name: "the list") }
        #expect(error?.code == .dataInvalid)
        #expect(error?.message == message)
    }

    @Test func `a list without targets is an error, unless it lists exclusions`() throws {
        #expect(throws: VTError(.notFound, "'none' lists no targets")) {
            try texts("@none", lists: ["none": "# nothing\n"])
        }
        #expect(try texts("db", excluding: "@none", lists: ["none": ""]) == ["db"])
    }

    @Test func `targets without patterns do not read the profiles`() throws {
        let selection = TargetSelection(.words([.target(.local), .target(.profile("web"))]))
        let targets = try selection.targets { () throws(VTError) in throw VTError(.config, "unreadable") }
        #expect(targets == [.local, .profile("web")])
    }

    @Test(arguments: ["local", "web", "ann@h", "ann@h:22", "ann@::1", "ann@[::1]:2222", "ssh://h", "ssh://[::1]:22"])
    func `the text of a target selects the same target`(_ text: String) throws {
        let target = try Target(parsing: text)
        #expect(target.text == text)
        #expect(try Target(parsing: target.text) == target)
    }
}
