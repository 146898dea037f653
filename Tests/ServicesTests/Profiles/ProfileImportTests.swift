import Core
import CoreTestSupport
import Services
import Testing

@Suite struct ProfileImportTests {
    private let store = MemoryProfileStore()
    private let secrets = MemorySecretStore()
    private var service: ProfileService {
        ProfileService(profiles: store, secrets: secrets, now: { Timestamp(seconds: 7) })
    }

    private func run(
        _ hosts: (String, @Sendable (inout HostSettings) -> Void)...,
        request: ImportRequest = ImportRequest()
    ) throws(VTError) -> ProfileService.ImportReport {
        let hosts = hosts.map { (name: $0.0, body: $0.1) }
        return try service.importHosts(request, from: FakeSSHConfiguration(hosts: hosts))
    }

    @Test func `a configuration without hosts is reported`() throws {
        for isDryRun in [true, false] {
            let report = try run(request: ImportRequest(file: "/etc/hosts", isDryRun: isDryRun))
            #expect(report.profiles.isEmpty)
            #expect(report.notes == ["no hosts found in '/etc/hosts'"])
        }
    }

    @Test func `imports every setting that a profile supports`() throws {
        let report = try run(
            (
                "web",
                { settings in
                    settings.hostName = "web.example"
                    settings.user = "ann"
                    settings.port = 2222
                    settings.keyFiles = ["~/.ssh/a"]
                    settings.usesAgent = false
                    settings.route = .proxyCommand("nc %h %p")
                    settings.hostKeyPolicy = .strict
                    settings.knownHosts = "/k"
                    settings.connectTimeout = .seconds(5)
                    settings.keepAliveInterval = .zero
                    settings.keepAliveCount = 2
                    settings.environment = [try? EnvironmentVariable("A=b")].compactMap(\.self)
                }
            ),
            request: ImportRequest(tags: ["imported"])
        )
        var expected = try Profile.named("web") { profile in
            profile.user = "ann"
            profile.port = 2222
            profile.identities = ["~/.ssh/a"]
            profile.agent = false
            profile.proxyCommand = "nc %h %p"
            profile.hostKeyPolicy = .strict
            profile.knownHosts = "/k"
            profile.connectTimeout = .seconds(5)
            profile.keepAlive = .zero
            profile.keepAliveCount = 2
            profile.environment = ["A": "b"]
            profile.tags = ["imported"]
            profile.createdAt = Timestamp(seconds: 7)
        }
        expected.id = try #require(store["web"]).id
        #expect(store["web"] == expected)
        #expect(report.profiles == [expected])
        #expect(report.notes.isEmpty)
    }

    @Test func `reports settings that are not imported, with their hosts`() throws {
        let report = try run(
            (
                "a",
                { settings in
                    settings.report.leftOut = ["ForwardAgent", "LocalForward", "LocalForward"]
                    settings.report.notes = ["'f' line 1: 'Match exec' is not evaluated"]
                }
            ),
            (
                "b",
                { settings in
                    settings.report.leftOut = ["ForwardAgent"]
                    settings.report.notes = ["'f' line 1: 'Match exec' is not evaluated"]
                }
            ),
            ("c:d", { _ in }),
            ("local", { _ in })
        )
        #expect(
            report.notes == [
                "'f' line 1: 'Match exec' is not evaluated", "skipped 'c:d', which is not a valid profile name",
                "skipped 'local', which is reserved for this machine",
                "not imported: 'ForwardAgent' (a, b)", "not imported: 'LocalForward' (a)",
            ]
        )
        #expect(store.names == ["a", "b"])
    }

    // MARK: - Jump hosts

    @Test func `a jump host that is in the file refers to the profile imported for it`() throws {
        _ = try run(
            ("web", { $0.route = .jump([.adHoc(Destination(host: "gate"))]) }),
            ("gate", { $0.hostName = "gate.example" })
        )
        #expect(store["web"]?.jump == "gate")
        #expect(store["gate"]?.host == "gate.example")
        #expect(store.names == ["gate", "web"])
    }

    @Test func `a jump host that is not in the file becomes a profile named after it`() throws {
        _ = try run(
            ("web", { $0.route = .jump([.adHoc(Destination(user: "ann", host: "gate.example", port: 2222))]) }),
            ("db", { $0.route = .jump([.adHoc(Destination(user: "ann", host: "gate.example", port: 2222))]) })
        )
        #expect(store["web"]?.jump == "ann-gate.example-2222")
        #expect(store["db"]?.jump == "ann-gate.example-2222")
        let hop = try #require(store["ann-gate.example-2222"])
        #expect(hop.user == "ann" && hop.host == "gate.example" && hop.port == 2222 && hop.jump == nil)
    }

    @Test func `a chain of jump hosts becomes a chain of profiles`() throws {
        _ = try run(
            (
                "web",
                {
                    $0.route = .jump([.adHoc(Destination(host: "outer")), .adHoc(Destination(host: "inner", port: 22))])
                }
            ),
            ("inner", { $0.hostName = "10.0.0.1" }),
            ("outer", { _ in })
        )
        let inner = try #require(store["inner-22-via-outer"])
        #expect(store["web"]?.jump == inner.name)
        #expect(inner.host == "10.0.0.1" && inner.jump == "outer")
        #expect(store["inner"]?.jump == nil)
    }

    @Test func `imports nothing if jump hosts form a loop`() async throws {
        let error = try await failure {
            _ = try run(
                ("web", { $0.route = .jump([.adHoc(Destination(host: "gate"))]) }),
                ("gate", { $0.route = .jump([.adHoc(Destination(host: "gate"))]) })
            )
        }
        #expect(error.code == .usage)
        #expect(error.message == "jump hosts form a loop: gate -> gate")
        #expect(store.names.isEmpty)
    }

    // MARK: - Selection and repeated imports

    @Test func `selects hosts by patterns, including their jump hosts`() async throws {
        let hosts: [(String, @Sendable (inout HostSettings) -> Void)] = [
            ("web1", { $0.route = .jump([.adHoc(Destination(host: "gate"))]) }), ("web2", { _ in }), ("gate", { _ in }),
            ("db", { _ in }),
        ]
        let configuration = FakeSSHConfiguration(hosts: hosts)
        let report = try service.importHosts(ImportRequest(hosts: ["web1", "d*"]), from: configuration)
        #expect(report.profiles.map(\.name) == ["db", "gate", "web1"])
        let error = try await failure {
            _ = try service.importHosts(ImportRequest(hosts: ["web", "wbe2"]), from: configuration)
        }
        #expect(error.code == .notFound)
    }

    @Test func `a dry run changes nothing`() throws {
        let report = try run(("web", { _ in }), request: ImportRequest(isDryRun: true))
        #expect(report.profiles.map(\.name) == ["web"])
        #expect(store.names.isEmpty)
    }

    @Test(arguments: [false, true])
    func `a name in use prevents the import`(isDryRun: Bool) async throws {
        try store.update { profiles throws(VTError) in
            profiles["web"] = Profile(id: "1", name: try ProfileName("web"), host: "old", createdAt: .now())
        }
        let error = try await failure {
            _ = try run(("db", { _ in }), ("web", { _ in }), request: ImportRequest(isDryRun: isDryRun))
        }
        #expect(error.code == .exists)
        #expect(error.message == "profiles already exist: 'web'")
        #expect(store.names == ["web"])
    }

    @Test func `a replaced profile keeps its ID, secrets, note and history`() throws {
        var old = try Profile.named("web") { profile in
            profile.password = .stored
            profile.secretStore = .file
            profile.note = "mine"
            profile.cwd = "/old"
        }
        old.lastConnectedAt = Timestamp(seconds: 5)
        let profile = old
        try store.update { $0["web"] = profile }
        _ = try run(("web", { $0.hostName = "new.example" }), request: ImportRequest(existing: .replace))
        let new = try #require(store["web"])
        #expect(new.id == old.id && new.password == .stored && new.secretStore == .file && new.note == "mine")
        #expect(new.lastConnectedAt == old.lastConnectedAt && new.createdAt == old.createdAt)
        #expect(new.host == "new.example" && new.cwd == nil)
    }

    @Test func `a jump host that is already a profile is unchanged`() throws {
        let gate = try Profile.named("gate")
        try store.update { $0["gate"] = gate }
        _ = try run(
            ("web", { $0.route = .jump([.adHoc(Destination(host: "gate"))]) }),
            request: ImportRequest(hosts: ["web"])
        )
        #expect(store["gate"] == gate)
        #expect(store["web"]?.jump == "gate")
    }

    @Test(arguments: [false, true])
    func `hosts whose profiles exist are skipped and named on request`(isDryRun: Bool) throws {
        let web = try Profile.named("web")
        try store.update { $0["web"] = web }
        let report = try run(
            ("web", { $0.hostName = "new.example" }),
            ("db", { $0.route = .jump([.adHoc(Destination(host: "web"))]) }),
            request: ImportRequest(existing: .skip, isDryRun: isDryRun)
        )
        #expect(report.profiles.map(\.name) == ["db"])
        #expect(report.notes == ["skipped hosts whose profiles already exist: 'web'"])
        #expect(store["web"] == web)
        #expect(store["db"]?.jump == (isDryRun ? nil : "web"))
    }
}
