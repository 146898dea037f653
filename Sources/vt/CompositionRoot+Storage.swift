import Core
import POSIX
import Machine
import Services
import Storage

/// What is kept in files, and the services over it.
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

    /// vt's own known_hosts file, and those of OpenSSH to read.
    func trustStore(_ diagnostics: any Diagnostics) throws(VTError) -> FileTrustStore {
        let directories = try StateDirectories(.process)
        return FileTrustStore(
            ownFile: directories.knownHosts,
            otherFiles: FileTrustStore.openSSHFiles(home: directories.home),
            diagnostics: diagnostics
        )
    }

    /// The names of vt's own known_hosts file that stand for one host each.
    func knownHostNames() -> [String] {
        // Who completes a word is told of no errors.
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

/// Shows nothing.
private struct NoDiagnostics: Diagnostics {
    func note(_ message: String) {}

    func detail(_ message: @autoclosure () -> String) {}
}
