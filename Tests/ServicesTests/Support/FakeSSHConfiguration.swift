import Core

/// The settings of listed hosts; other hosts have the default settings.
struct FakeSSHConfiguration: SSHConfiguration {
    var hosts: [(name: String, body: @Sendable (inout HostSettings) -> Void)]

    var aliases: [String] { hosts.map(\.name) }

    func settings(for host: String, given options: [String: String]) throws(VTError) -> HostSettings {
        var settings = HostSettings()
        settings.hostName = host
        hosts.first { $0.name == host }?.body(&settings)
        settings.hostName = options["hostname"] ?? settings.hostName
        settings.user = options["user"] ?? settings.user
        settings.port = options["port"].flatMap { UInt16($0) } ?? settings.port
        return settings
    }
}
