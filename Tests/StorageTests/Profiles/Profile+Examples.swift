import Core

extension Profile {
    static func plain(_ name: String) throws -> Profile {
        Profile(id: "id-\(name)", name: try ProfileName(name), host: "\(name).example", createdAt: .epoch)
    }

    /// A profile with a non-default value in every field.
    static func complete(name: String) throws -> Profile {
        var profile = try plain(name)
        profile.port = 65_535
        profile.user = "ann"
        profile.identities = ["~/.ssh/id \"quoted\"", "/é\u{1}"]
        profile.agent = false
        profile.password = .command("pass show 'x'")
        profile.passphrase = .environment("PASS")
        profile.secretStore = .file
        profile.jump = "gate"
        profile.proxyCommand = "nc %h %p"
        profile.hostKeyPolicy = .pin("SHA256:" + String(repeating: "A", count: 43))
        profile.knownHosts = "/k"
        profile.allowedAlgorithms = ["aes128-cbc"]
        profile.connectTimeout = .milliseconds(1)
        profile.keepAlive = .zero
        profile.keepAliveCount = 9
        profile.cwd = "/srv"
        profile.environment = ["A": "b", "C": ""]
        profile.shell = "/bin/sh"
        profile.tags = ["prod", "web"]
        profile.note = "line\nline / slash"
        profile.lastConnectedAt = Timestamp(seconds: 86_400)
        return profile
    }
}

extension Timestamp {
    static let epoch = Timestamp(seconds: 0)
}
