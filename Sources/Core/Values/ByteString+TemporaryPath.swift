extension ByteString {
    /// The part of a file's name that a temporary name contains; names are limited to 255 bytes.
    private static let temporaryNameBytes = 180

    /// The path of the incomplete file at a path: `.NAME.vt-ENDING` in the same directory.
    ///
    /// Different paths have different temporary names: a truncated name is followed by a hash of the full name.
    package func temporaryPath(ending: String) -> ByteString {
        let name = lastName
        let isCut = name.bytes.count > Self.temporaryNameBytes
        let suffix = isCut ? "\(ending)-\(String(StableHash.hash(name.bytes), radix: 16))" : ending
        let start = ByteString(name.bytes.prefix(Self.temporaryNameBytes))
        return parentDirectory.appending("." + start + ByteString(".vt-\(suffix)"))
    }
}
