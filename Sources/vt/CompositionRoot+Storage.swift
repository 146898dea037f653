import Core
import POSIX
import Machine
import Services
import Storage

/// File storage, and the services that use it.
extension CompositionRoot {
    func keyframeCache() throws(VTError) -> any DerivedCache {
        FileDerivedCache(directory: try StateDirectories(.process).keyframes)
    }

    func profileStore() throws(VTError) -> any ProfileStore {
        FileProfileStore(path: try StateDirectories(.process).profiles)
    }

    func sessionNameCache() throws(VTError) -> any SessionNameCache {
        FileSessionNameCache(directory: try StateDirectories(.process).sessionNames, profiles: try profileStore())
    }

    func profileService() throws(VTError) -> ProfileService {
        ProfileService(profiles: try profileStore(), secrets: try secretStore())
    }

    func planResolver() throws(VTError) -> PlanResolver {
        PlanResolver(
            profiles: try profileStore(),
            secrets: SecretSourceReader(
                store: try secretStore(),
                environment: .process,
                home: try StateDirectories(.process).home
            ),
            environment: .process,
            account: .current()
        )
    }

    func hostService(_ diagnostics: any Diagnostics) throws(VTError) -> HostService {
        HostService(registry: try trustStore(diagnostics), connector: connector(diagnostics))
    }

    func sshConfigurationReader() throws(VTError) -> any SSHConfigurationReader {
        guard let account = Account.current() else {
            throw VTError(.config, "the user running vt has no passwd entry")
        }
        return FileSSHConfigurationReader(
            home: try StateDirectories(.process).home,
            account: account,
            environment: .process
        )
    }

    /// A trust store with vt's own known_hosts file, and OpenSSH's for reading.
    func trustStore(_ diagnostics: any Diagnostics) throws(VTError) -> FileTrustStore {
        let directories = try StateDirectories(.process)
        return FileTrustStore(
            ownFile: directories.knownHosts,
            otherFiles: FileTrustStore.openSSHFiles(home: directories.home),
            diagnostics: diagnostics
        )
    }

    /// The literal host names in vt's own known_hosts file.
    func knownHostNames() -> [String] {
        // Shell completion must not print errors.
        guard let store = try? trustStore(NoDiagnostics()), let hosts = try? store.knownHosts(for: nil) else {
            return []
        }
        let special = Set("*?!|")
        return hosts.filter { $0.isOwn && $0.marker == nil }.flatMap { $0.names.split(separator: ",") }
            .filter { !$0.contains(where: special.contains) }.map { $0.lowercased() }
    }

    private func secretStore() throws(VTError) -> any SecretStore {
        SystemSecretStore(path: try StateDirectories(.process).secrets, environment: .process)
    }
}

/// Ignores all messages.
private struct NoDiagnostics: Diagnostics {
    func note(_ message: String) {}

    func detail(_ message: @autoclosure () -> String) {}
}
