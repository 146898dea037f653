import Core

/// The result of an import or a dry run.
package struct ImportReport: Sendable {
    /// The profiles that were saved or, in a dry run, would be saved, sorted by name.
    package var profiles: [Profile]
    /// Hosts and settings that were not imported, one line each.
    package var notes: [String]
}
