import Core

/// The result of an import or a dry run.
package struct ImportReport: Sendable {
    /// The profiles, sorted by name.
    package var profiles: [Profile]
    /// Settings that were not carried over, one line each.
    package var notes: [String]
}
