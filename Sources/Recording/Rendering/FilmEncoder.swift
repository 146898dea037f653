import Core
import Terminal

/// Encodes a film as one image file.
package protocol FilmEncoder: Sendable {
    /// Returns the file's bytes.
    ///
    /// - Throws: `not-found` if a required program is missing; `cannot-create` for too many frames.
    func image(
        of film: Film,
        _ source: RecordingFile,
        theme: Theme,
        isLooping: Bool
    ) async throws(VTError) -> [UInt8]
}
