import Core
import Services

/// The sessions, and what is needed to keep them.
extension CompositionRoot {
    func sessionHost() throws(VTError) -> any SessionHost {
        throw VTError(.internal, "this vt keeps no sessions")
    }
}
