import Core

/// An output format for recordings.
package enum RecordingFormat: String, CaseIterable, JSONReadable, Sendable {
    case v3
    case v2
    /// The raw terminal output.
    case raw
    /// The displayed text.
    case txt

    /// The format that corresponds to the version in a header; v3 for v1, which cannot be written.
    init(of header: RecordingHeader) {
        self = header.version == .v2 ? .v2 : .v3
    }

    /// The asciicast version; nil for the other formats.
    package var asciicastVersion: AsciicastVersion? {
        switch self {
        case .v3: .v3
        case .v2: .v2
        case .raw, .txt: nil
        }
    }

    // MARK: - File names

    /// File extensions of images, videos, documents and archives, none of which is a recording format.
    private static let foreign: Set<String> = [
        "apng", "avi", "bmp", "bz2", "gif", "gz", "htm", "html", "jpeg", "jpg", "mkv", "mov", "mp4", "pdf", "png",
        "svg",
        "webm", "webp", "xz", "zip", "zst",
    ]

    /// Returns the format for a file extension, `.cast`, `.raw` or `.txt`; nil for an unknown extension.
    ///
    /// - Throws: `usage` for the extension of an image, video, document or archive.
    package init?(fileName path: String) throws(VTError) {
        guard let name = path.fileNameEnding else { return nil }
        guard !Self.foreign.contains(name) else {
            throw VTError(
                .usage,
                "'\(path)' does not end in .cast, .raw or .txt",
                hint: ["svg", "gif", "html"].contains(name)
                    ? "vt cast render FILE -o OUT.\(name)" : "use one of these extensions"
            )
        }
        switch name {
        case "cast": self = .v3
        case "raw": self = .raw
        case "txt": self = .txt
        default: return nil
        }
    }
}
