import Core

/// Reports the versions of vt and its libraries, and checks the saved profiles and this machine.
package struct DoctorService: Sendable {
    private let machine: any MachineInspector
    private let libraries: [LibraryVersion]
    private let profiles: any ProfileStore

    package init(machine: any MachineInspector, libraries: [LibraryVersion], profiles: any ProfileStore) {
        self.machine = machine
        self.libraries = libraries
        self.profiles = profiles
    }

    /// All findings; `version` is the version of the running vt.
    package func findings(version: String) async -> [Finding] {
        [Finding("vt", .ok, version)] + libraries.map { Finding($0.name, .ok, $0.version) } + [savedProfiles]
            + (await machine.findings())
    }

    /// The number of saved profiles, or why they cannot be read.
    private var savedProfiles: Finding {
        do throws(VTError) {
            return Finding("profiles", .ok, "\(try profiles.load().count)")
        } catch {
            return Finding("profiles", .fail, error.message, hint: error.hint)
        }
    }
}
