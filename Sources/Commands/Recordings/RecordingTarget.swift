import Core
import Recording
import Runtime
import Services

/// The destination of a recording, including how to complete or discard it.
enum RecordingTarget: Sendable {
    case standardOutput(any OutputQueue)
    case file(NewFile)
    case appended(AppendedFile)

    /// Opens the destination; if `isGrowing` is true, a file exists as soon as its first line is written.
    static func open(
        _ path: String?,
        _ existing: RecordOptions.Existing,
        isGrowing: Bool,
        standardOutput queues: RunQueues
    ) throws(VTError) -> RecordingTarget {
        guard let path else {
            return .standardOutput(queues.output())
        }
        if existing == .append {
            do throws(VTError) {
                return .appended(try AppendedFile(path))
            } catch {
                guard error.code == .notFound else { throw error }
            }
        }
        return .file(try NewFile(path, replacing: existing == .replace, isGrowing: isGrowing))
    }

    var sink: any ByteSink {
        switch self {
        case .standardOutput(let output): output
        case .file(let file): file
        case .appended(let file): file
        }
    }

    /// Returns the part of a size limit that is left for new data.
    func limit(_ limitBytes: Int64?) throws(VTError) -> Int64? {
        guard let limitBytes, case .appended(let file) = self else { return limitBytes }
        guard limitBytes > file.length else {
            throw VTError(.usage, "cannot append: the file has already reached --max-size")
        }
        return limitBytes - Int64(file.length)
    }

    /// Returns when everything is written and the file has its final name.
    func finish() async throws(VTError) {
        switch self {
        case .standardOutput(let output): try await output.finish()
        case .file(let file): try await file.finish()
        case .appended(let file): try await file.finish()
        }
    }

    /// Discards the recording.
    ///
    /// A new file is removed unless lines have been written under its name; the data appended to an existing file is
    /// removed unless `keepsWritten` is true.
    func abandon(keepingWritten keepsWritten: Bool) async {
        switch self {
        // The caller throws the error that ended the recording; further errors are ignored.
        case .standardOutput(let output): try? await output.finish()
        case .file(let file): await file.discard()
        case .appended(let file):
            if keepsWritten { try? await file.finish() } else { await file.discard() }
        }
    }
}
