/// The attributes of a file on a server.
package struct RemoteFileStatus: Hashable, Sendable {
    package enum Kind: Sendable {
        case file
        case directory
        case other
    }

    package var kind: Kind
    package var sizeBytes: UInt64
    /// The permission bits: the lower twelve bits.
    package var mode: UInt16

    package init(kind: Kind, sizeBytes: UInt64, mode: UInt16) {
        self.kind = kind
        self.sizeBytes = sizeBytes
        self.mode = mode
    }
}
