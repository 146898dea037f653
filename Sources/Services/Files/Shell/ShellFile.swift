import Core
import Runtime
import Synchronization
import System

/// A file that is read or written sequentially from an offset, by a program that is started when the first bytes are
/// transferred.
final class ShellFile: RandomAccessFile {
    private let system: ShellFileSystem
    private let path: ByteString
    private let isReading: Bool
    private let transfer: ShellTransfer
    /// Bytes that have been received but not yet returned.
    private let rest = Mutex<ArraySlice<UInt8>>([])

    let isSequential = true

    init(_ system: ShellFileSystem, _ path: ByteString, reading isReading: Bool) {
        self.system = system
        self.path = path
        self.isReading = isReading
        let what = "cannot \(isReading ? "read" : "write") '\(path.repairedText)'"
        transfer = ShellTransfer(system, reading: isReading, what: what)
    }

    func read(at offset: UInt64, limit: Int) async throws(VTError) -> [UInt8] {
        guard isReading else { throw VTError(.internal, "the file is open only for writing") }
        transfer.start(
            #"if [ "$2" = 1 ]; then exec cat <"$1"; else exec tail -c "+$2" <"$1"; fi"#,
            [path, ByteString("\(offset + 1)")]
        )
        var bytes = rest.withLock { $0 }
        if bytes.isEmpty { bytes = try await transfer.pipe.read().map { $0[...] } ?? [] }
        rest.withLock { [bytes] in $0 = bytes.dropFirst(limit) }
        return Array(bytes.prefix(limit))
    }

    /// The offset of the first write must be a multiple of `FileChunk.bytes`.
    func write(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) {
        guard !isReading else { throw VTError(.internal, "the file is open only for reading") }
        // dd(1) writes whatever it has read, so short reads from the pipe do not matter.
        transfer.start(
            #"if [ "$2" = 0 ]; then exec cat >"$1"; fi; exec dd of="$1" bs="$3" seek="$2" conv=notrunc 2>/dev/null"#,
            [path, ByteString("\(offset / UInt64(FileChunk.bytes))"), ByteString("\(FileChunk.bytes)")]
        )
        try await transfer.pipe.write(bytes)
    }

    func data(from offset: UInt64) async throws(VTError) -> Range<UInt64>? {
        offset..<UInt64.max
    }

    func attributes() async throws(VTError) -> FileAttributes {
        guard let attributes = try await system.attributes(of: path, followsLinks: true) else {
            throw VTError(.notFound, "'\(path.repairedText)' does not exist")
        }
        return attributes
    }

    func close(after changes: FileAttributeChanges) async throws(VTError) {
        try await transfer.finish()
        try await system.change(path, to: changes)
    }
}
