import Recording

/// How playing ended.
package enum PlayEnd: Hashable, Sendable {
    case ended
    /// A key requested the end.
    case quit
    /// The interrupt key was pressed.
    case interrupted
}
