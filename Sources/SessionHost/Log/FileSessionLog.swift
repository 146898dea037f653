import Core
import Glibc
import Synchronization
import System

/// The output of a session, read from its files, which the holder may still be writing.
///
/// When the oldest part has been released, the file starts with a hole that ends at the first kept offset.
final class FileSessionLog: SessionLog {
    private let files: SessionFiles
    /// The session's name in messages.
    private let name: String
    private let output: OpenFile
    /// Nothing is released before the output reaches this length.
    private let limitBytes: UInt64
    /// The first kept offset in the record when the log was opened, for file systems that do not report holes.
    private let recordedFirst: UInt64
    /// The timeline, kept open after the first read, so that it can be followed even after the session is removed.
    private let events = Mutex<TimelineFile?>(nil)

    /// Opens the output file; for a session that never started, there is none, and the output is empty.
    ///
    /// `first` is the first kept offset if that is known better than from the record.
    ///
    /// - Throws: `not-found` when the session has been removed; `io` and `system`.
    init(_ files: SessionFiles, of record: Session, first: UInt64? = nil) throws(VTError) {
        (self.files, name, limitBytes) = (files, record.name, record.logLimitBytes)
        recordedFirst = first ?? record.firstOffset
        let output = try Self.existing(files, record.name) { () throws(VTError) in
            try OpenFile(opening: files.output, O_RDONLY)
        }
        self.output = if let output { output } else { try OpenFile(opening: "/dev/null", O_RDONLY) }
    }

    func firstOffset() throws(VTError) -> UInt64 {
        let end = FileSpace.length(output.number)
        guard end > limitBytes else { return recordedFirst }
        return max(recordedFirst, FileSpace.firstData(output.number) ?? recordedFirst)
    }

    func endOffset() throws(VTError) -> UInt64 {
        FileSpace.length(output.number)
    }

    func read(from offset: UInt64, limit: Int) throws(VTError) -> [UInt8] {
        guard let position = Int(exactly: offset) else { return [] }
        return try output.read(at: position, limit: limit)
    }

    func offset(at time: Timestamp) throws(VTError) -> UInt64 {
        guard time <= .now() else { return try endOffset() }
        let first = try firstOffset()
        return max(first, try timeline(files.events)?.offset(before: time) ?? first)
    }

    func events(from position: UInt64) throws(VTError) -> SessionLogPage {
        try events.withLock { reader throws(VTError) in
            if reader == nil { reader = try timeline(files.events) }
            return try reader?.page(from: position) ?? SessionLogPage([], next: position)
        }
    }

    func turnMarks(_ body: (SessionLogEvent) throws(VTError) -> Bool) throws(VTError) {
        for path in [files.events, files.turns] {
            guard try timeline(path)?.forEachTurnMark(body) ?? true else { return }
        }
    }

    private func timeline(_ path: String) throws(VTError) -> TimelineFile? {
        try Self.existing(files, name) { () throws(VTError) in try TimelineFile(path: path) }
    }

    /// Opens a file; returns nil if the session never had it, rather than that it was removed with the session.
    private static func existing<File: ~Copyable>(
        _ files: SessionFiles,
        _ name: String,
        _ open: () throws(VTError) -> File
    ) throws(VTError) -> File? {
        do throws(VTError) {
            return try open()
        } catch {
            guard error.code == .notFound else { throw error }
            guard unsafe access(files.directory, F_OK) != 0 else { return nil }
            throw VTError(.notFound, "session '\(name)' has been removed")
        }
    }
}
