import Core
import Services

/// The value of an option for a key, which can also be 'none'.
struct KeyChoice: Sendable {
    /// Nil for none.
    let key: DetachKey?

    init(_ text: String) throws(VTError) {
        key = try DetachKey.parse(text)
    }
}
