import Core
import Services
import System

extension DetachKey {
    /// The environment variable with the user's key.
    private static let variable = "VT_DETACH_KEY"

    /// Returns the key in the environment, or the standard key; nil if the user has disabled it.
    ///
    /// - Throws: `usage` for an invalid key.
    static func preferred(in environment: Environment) throws(VTError) -> DetachKey? {
        guard let key = environment[variable], !key.isEmpty else { return .standard }
        do throws(VTError) {
            return try parse(key)
        } catch {
            throw VTError(error.code, "\(variable): \(error.message)", hint: error.hint)
        }
    }
}
