import Core

/// Notes the failures of forwarded connections.
struct ForwardNotes: ForwardObserver {
    let diagnostics: any Diagnostics

    func forward(_ forward: Forward, failed error: VTError) {
        diagnostics.note("a connection to '\(forward.listener)' was closed: \(error.message)")
    }
}
