import Commands
import Core
import Synchronization

/// A console stream that stores its output.
final class MemoryStream: ConsoleStream {
    let isTerminal: Bool
    let columns: Int?
    private let refuses: Bool
    private let state = Mutex<(bytes: [UInt8], isClosed: Bool)>(([], false))

    /// With `refuses`, writing fails as on a full disk.
    init(isTerminal: Bool = false, columns: Int? = nil, refuses: Bool = false) {
        self.isTerminal = isTerminal
        self.columns = columns
        self.refuses = refuses
    }

    var text: String {
        state.withLock { String(decoding: $0.bytes, as: UTF8.self) }
    }

    var isClosed: Bool {
        state.withLock { $0.isClosed }
    }

    func checkIsWritable() throws(VTError) {
        guard !refuses else { throw VTError(.io, "cannot write standard output: no space left on device") }
    }

    func write(_ bytes: [UInt8]) throws(VTError) {
        guard !refuses else { throw VTError(.io, "cannot write standard output: no space left on device") }
        state.withLock { $0.bytes += bytes }
    }

    func close() throws(VTError) {
        state.withLock { $0.isClosed = true }
    }
}
