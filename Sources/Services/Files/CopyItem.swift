import Core

/// A file to copy.
package struct CopyItem: Hashable, Sendable {
    /// The path in the source.
    package var source: ByteString
    /// The path in the destination.
    package var destination: ByteString
    package var attributes: FileAttributes
    /// Whether the path in the destination does not exist, for example because its directory has just been created.
    package var isNew = false
}

/// How to copy files.
package struct CopyOptions: Hashable, Sendable {
    /// Whether to copy directories with their contents.
    package var isRecursive: Bool
    /// Whether to set the modes and times to those of the source.
    package var preservesAttributes: Bool
    /// Whether to skip files that are complete, and continue those that were copied in part.
    package var resumes: Bool
    /// Whether to compare contents: files that are the same are skipped, and copies are verified.
    package var comparesContents: Bool
    /// Whether to create the missing directories of the destination.
    package var createsParents: Bool

    /// Whether to write to the files of the destination, instead of replacing them.
    package var writesInPlace: Bool

    /// Whether files, directories and links that are complete are skipped.
    package var skipsComplete: Bool { resumes || comparesContents }

    package init(
        isRecursive: Bool,
        preservesAttributes: Bool,
        resumes: Bool,
        comparesContents: Bool,
        createsParents: Bool,
        writesInPlace: Bool
    ) {
        self.isRecursive = isRecursive
        self.preservesAttributes = preservesAttributes
        self.resumes = resumes
        self.comparesContents = comparesContents
        self.createsParents = createsParents
        self.writesInPlace = writesInPlace
    }
}

/// Receives the progress of a copy, from any thread.
package protocol CopyObserver: Sendable {
    /// A file to be copied has been found.
    func found(_ item: CopyItem)

    /// All files have been found.
    func foundAll()

    /// More bytes of a file have arrived at the destination, or need not be copied.
    func transferred(bytes: UInt64)

    /// A file, directory or link is complete.
    func copied(_ item: CopyItem)

    /// A file, directory or link is already complete at the destination.
    func skipped(_ item: CopyItem)

    /// Something about a copy that succeeds, or is going on, that its user should know.
    func note(_ message: String)

    /// A file could not be copied; other files are still being copied.
    func failed(_ source: ByteString, _ error: VTError)
}
