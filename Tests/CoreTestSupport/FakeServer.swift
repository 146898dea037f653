import Core
import Synchronization

/// A connector to one server, which presents host keys but is otherwise unreachable.
package struct FakeServer: Connector {
    package var keys: [HostKey]

    package init(keys: [HostKey]) {
        self.keys = keys
    }

    package func hostKeyTypes() -> [String] { ["ssh-ed25519", "ecdsa-sha2-nistp256", "ssh-rsa"] }

    package func connect(
        _ plan: ConnectionPlan,
        observer: @escaping ConnectionObserver
    ) async throws(VTError) -> any RemoteHost {
        throw VTError(.hostUnreachable, "the server is unreachable")
    }

    package func hostKey(of plan: SSHPlan, type: String) async throws(VTError) -> HostKey? {
        keys.first { $0.type == type }
    }

    package func close() async {}
}

/// Known host keys in memory; the fingerprint of a key is the part of its blob that starts with `#`.
package final class MemoryHostKeys: TrustStore {
    package let hosts: Mutex<[KnownHost]>

    package init(_ hosts: [KnownHost] = []) {
        self.hosts = Mutex(hosts)
    }

    package func knownHosts(for endpoint: Endpoint?, in lookup: HostKeyLookup) throws(VTError) -> [KnownHost] {
        hosts.withLock { $0 }.filter { endpoint == nil || $0.names == endpoint?.knownHostsName }
    }

    package func add(
        _ key: HostKey,
        for endpoint: Endpoint,
        in lookup: HostKeyLookup,
        replacing: Bool
    ) throws(VTError) -> TrustVerdict {
        let known = KnownHost.sample(endpoint.knownHostsName, key.type, fingerprint(of: key))
        hosts.withLock { $0.append(known) }
        return .stored
    }

    package func forget(_ endpoint: Endpoint, isDryRun: Bool) throws(VTError) -> [KnownHost] {
        let name = endpoint.knownHostsName
        return hosts.withLock { hosts in
            let removed = hosts.filter { $0.names == name && $0.isOwn }
            if isDryRun { return removed }
            hosts.removeAll { $0.names == name && $0.isOwn }
            return removed
        }
    }

    package func fingerprint(of key: HostKey) -> String {
        String(decoding: key.blob.drop { $0 != UInt8(ascii: "#") }, as: UTF8.self)
    }

    package func files(for lookup: HostKeyLookup) -> [String] { [] }

    package func knownKeyTypes(for endpoint: Endpoint, in lookup: HostKeyLookup) throws(VTError) -> [String] { [] }

    package func check(
        _ key: HostKey,
        for endpoint: Endpoint,
        policy: HostKeyPolicy,
        in lookup: HostKeyLookup
    ) throws(VTError) -> TrustVerdict { .known }
}

extension KnownHost {
    package static func sample(
        _ name: String,
        _ type: String,
        _ fingerprint: String,
        marker: KnownHost.Marker? = nil,
        isOwn: Bool = true
    ) -> KnownHost {
        KnownHost(
            names: name,
            marker: marker,
            keyType: type,
            fingerprint: fingerprint,
            file: isOwn ? "/vt/known_hosts" : "/user/known_hosts",
            line: 1,
            isOwn: isOwn
        )
    }
}

extension HostKey {
    package static func sample(_ type: String, _ fingerprint: String) -> HostKey? {
        HostKey(blob: [0, 0, 0, UInt8(type.utf8.count)] + Array(type.utf8) + Array(fingerprint.utf8))
    }
}
