import CLinux
import Core

/// The services for host names in nsswitch.conf(5).
package struct HostServices: Sendable {
    /// Whether all of them are built into the C library, so that getaddrinfo(3) loads no modules.
    package let areBuiltIn: Bool

    /// Reads the configuration; a missing file or line means the default, `files dns`.
    package init(file: String = "/etc/nsswitch.conf") {
        // As in the C library, an unreadable file counts as missing.
        let bytes = (try? BlockingIO.contents(of: file)) ?? []
        areBuiltIn = String(decoding: bytes, as: UTF8.self).split(separator: "\n").allSatisfy(Self.isBuiltIn)
    }

    /// Makes getaddrinfo(3) in this process use /etc/hosts and DNS only, whatever nsswitch.conf(5) says.
    package static func useBuiltInServices() {
        clinux_use_built_in_host_services()
    }

    private static func isBuiltIn(line: Substring) -> Bool {
        let parts = line.prefix { $0 != "#" }.split(separator: ":", maxSplits: 1).map { part in
            part.split { $0 == " " || $0 == "\t" }
        }
        guard parts.count == 2, parts[0] == ["hosts"] else { return true }
        var isInAction = false
        for word in parts[1] {
            // Actions are in brackets, such as [NOTFOUND=return] or [ !UNAVAIL = return ].
            if word.hasPrefix("[") { isInAction = true }
            if !isInAction, word != "files", word != "dns" { return false }
            if word.hasSuffix("]") { isInAction = false }
        }
        return true
    }
}
