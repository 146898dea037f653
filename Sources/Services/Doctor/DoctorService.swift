import Core

/// Checks the requirements of sessions: the versions of vt and its libraries, and the state of this machine.
package struct DoctorService: Sendable {
    private let machine: any MachineInspector
    private let libraries: [LibraryVersion]

    package init(machine: any MachineInspector, libraries: [LibraryVersion]) {
        self.machine = machine
        self.libraries = libraries
    }

    /// All findings; `version` is the version of the running vt.
    package func findings(version: String) async -> [Finding] {
        [Finding("vt", .ok, version)] + libraries.map { Finding($0.name, .ok, $0.version) } + (await machine.findings())
    }
}
