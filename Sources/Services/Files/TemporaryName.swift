import Core

/// The names of incomplete files.
enum TemporaryName {
    /// The part of a file's name that a temporary name contains; names are limited to 255 bytes.
    private static let nameBytes = 180

    /// Returns `.NAME.vt-ENDING` in the directory of a path.
    ///
    /// Different paths have different temporary names: a truncated name is followed by a hash of the full name.
    static func path(beside path: ByteString, ending: String) -> ByteString {
        let name = path.lastName
        let isCut = name.bytes.count > nameBytes
        let suffix = isCut ? "\(ending)-\(String(StableHash.hash(name.bytes), radix: 16))" : ending
        let start = ByteString(name.bytes.prefix(nameBytes))
        return path.parentDirectory.appending("." + start + ByteString(".vt-\(suffix)"))
    }
}
