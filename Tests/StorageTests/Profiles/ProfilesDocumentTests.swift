import Core
import Foundation
import Storage
import TestSupport
import Testing

@Suite struct ProfilesDocumentTests {
    private let scratch: ScratchDirectory
    private var store: FileProfileStore { FileProfileStore(path: scratch.path("profiles.json")) }

    init() throws {
        scratch = try ScratchDirectory()
    }

    private func failure(of text: String) throws -> VTError {
        let file = try scratch.write(text, to: "profiles.json")
        let failure = try #require(#expect(throws: VTError.self) { try store.load() })
        #expect(throws: failure) { try store.update { $0.removeAll() } }
        #expect(try scratch.read("profiles.json") == Array(text.utf8), "\(file) was modified")
        return failure
    }

    private func profile(_ fields: String, name: String = "web") -> String {
        """
        {
          "schema": 1,
          "profiles": {
            "\(name)": {
              "id": "1", "name": "\(name)", "created_at": "2026-01-01T00:00:00Z",
              \(fields)
            }
          }
        }
        """
    }

    @Test(arguments: [
        ("", 1), ("{", 1), ("{\n\"schema\": 1,\n\"profiles\": {\n}", 4), ("[]", 1), ("{}", 1), ("{\"schema\": 1}", 1),
        ("{\"schema\": 1,\n\"profiles\": []}", 2), ("{\"schema\":\n\"1\"}", 2), ("{\"schema\": 0}", 1),
        ("{\"schema\":1,\"profiles\":{\n\"a\":1}}", 2), ("\u{0}\u{0}", 1),
    ])
    func `rejects a malformed profiles file, and reports the line number`(text: String, line: Int) throws {
        let failure = try failure(of: text)
        #expect(failure.code == .config)
        #expect(failure.message.hasPrefix("'\(scratch.path("profiles.json"))' line \(line): "))
    }

    @Test func `rejects a newer schema`() throws {
        let failure = try failure(of: #"{"profiles": {"x": {"new": true}}, "schema": 2}"#)
        #expect(failure.code == .config)
        #expect(
            failure.message
                == "'\(scratch.path("profiles.json"))' line 1: schema 2 is too new: this vt supports schema 1"
        )
    }

    @Test(arguments: [
        ("\"host\": 7", "host"), ("\"host\": \"a b\"", "host"), ("\"host\": \"h\", \"port\": 0", "port"),
        ("\"host\": \"h\", \"port\": 70000", "port"), ("\"host\": \"h\", \"port\": \"22\"", "port"),
        ("\"host\": \"h\", \"user\": \"-x\"", "user"), ("\"host\": \"h\", \"agent\": 1", "agent"),
        ("\"host\": \"h\", \"host_key_policy\": \"no\"", "host_key_policy"),
        ("\"host\": \"h\", \"password\": {\"from\": \"x\"}", "password.from"),
        ("\"host\": \"h\", \"environment\": {\"a b\": \"\"}", "environment"),
        ("\"host\": \"h\", \"last_connected_at\": \"yesterday\"", "last_connected_at"),
    ])
    func `reports an invalid field with its line`(fields: String, name: String) throws {
        let failure = try failure(of: profile(fields))
        #expect(
            failure.message
                == "'\(scratch.path("profiles.json"))' line 6: '\(name)' in profile 'web' is invalid"
        )
        #expect(failure.hint?.contains("vi +6 \(scratch.path("profiles.json"))") == true)
    }

    @Test func `reports a missing field`() throws {
        let failure = try failure(of: profile("\"port\": 1"))
        #expect(failure.message == "'\(scratch.path("profiles.json"))' line 4: profile 'web' lacks 'host'")
    }

    @Test(arguments: ["a b", "local", "-x", "a/b"])
    func `rejects a name that cannot be used on the command line`(name: String) throws {
        #expect(try failure(of: profile("\"host\": \"h\"", name: name)).code == .config)
    }

    @Test func `a handwritten profile needs only the required fields`() throws {
        try scratch.write(profile("\"host\": \"h\""), to: "profiles.json")
        let profile = try #require(try store.load()["web"])
        #expect(profile.agent && profile.port == 22 && profile.hostKeyPolicy == .acceptNew)
    }

    @Test func `preserves data written by a later version`() throws {
        let text = profile("\"host\": \"h\",\n\"later\": {\"\\\"x\\\"\": [1, 2]}")
            .replacingOccurrences(of: "\"schema\": 1,", with: "\"schema\": 1, \"comment\": \"kept\",")
        try scratch.write(text, to: "profiles.json")
        try store.update { profiles throws(VTError) in
            profiles["web"]?.note = "edited"
            profiles["other"] = Profile(id: "2", name: try ProfileName("other"), host: "o", createdAt: .now())
        }
        try store.update { profiles throws(VTError) in
            var renamed = profiles.removeValue(forKey: "web")
            renamed?.name = "site"
            profiles["site"] = renamed
        }
        let file = try JSONSerialization.jsonObject(with: Data(try scratch.read("profiles.json")))
        let document = try #require(file as? [String: Any])
        let site = try #require((document["profiles"] as? [String: [String: Any]])?["site"])
        #expect(document["comment"] as? String == "kept")
        #expect(site["later"] as? [String: [Int]] == ["\"x\"": [1, 2]])
        #expect(site["note"] as? String == "edited")
        #expect(site["name"] as? String == "site")
    }

    @Test func `the file has one member per line, in a fixed order`() throws {
        try store.update { profiles throws(VTError) in
            profiles["web"] = Profile(
                id: "7",
                name: try ProfileName("web"),
                host: "h",
                createdAt: Timestamp(seconds: 0)
            )
        }
        let expected = """
            {
              "schema": 1,
              "profiles": {
                "web": {
                  "id": "7",
                  "name": "web",
                  "host": "h",
                  "port": 22,
                  "identities": [],
                  "agent": true,
                  "password": {"from":"none"},
                  "passphrase": {"from":"none"},
                  "host_key_policy": "accept-new",
                  "allowed_algorithms": [],
                  "environment": {},
                  "tags": [],
                  "created_at": "1970-01-01T00:00:00Z"
                }
              }
            }

            """
        #expect(String(decoding: try scratch.read("profiles.json"), as: UTF8.self) == expected)
    }
}
