import Recording

/// How playback ended.
package enum PlayEnd: Hashable, Sendable {
    case ended
    /// A key to quit was pressed.
    case quit
    /// The interrupt key was pressed.
    case interrupted
}
