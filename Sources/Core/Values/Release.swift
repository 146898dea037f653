/// The version of this build.
package enum Release {
    package static let version = "0.1.0"
    /// The release date, shown in the manual pages.
    package static let date = "2026-11-21"
}
