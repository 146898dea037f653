import Core
import Synchronization

/// Receives the output of `git cat-file --batch`, and passes the contents of each object to a function.
///
/// For each object, git prints `OBJECT TYPE SIZE LF`, the contents, and LF.
final class BlobReader: ByteSink {
    private struct State {
        var header: [UInt8] = []
        /// The bytes of the current object that are still to come; nil while its header is read.
        var rest: Int?
        /// The number of the current object.
        var index = 0
    }

    private let state = Mutex(State())
    private let receive: @Sendable (_ index: Int, _ bytes: ArraySlice<UInt8>, _ isLast: Bool) throws(VTError) -> Void
    private static let headerLimitBytes = 256

    /// `receive` is called with the number of the object and its next bytes, at least once for each object.
    init(
        _ receive:
            @escaping @Sendable (_ index: Int, _ bytes: ArraySlice<UInt8>, _ isLast: Bool) throws(VTError) -> Void
    ) {
        self.receive = receive
    }

    /// The number of objects that have been received completely.
    var count: Int { state.withLock { $0.index } }

    func write(_ bytes: [UInt8]) async throws(VTError) {
        try state.withLock { state throws(VTError) in
            var input = bytes[...]
            while !input.isEmpty { try consume(&input, &state) }
        }
    }

    private func consume(_ input: inout ArraySlice<UInt8>, _ state: inout State) throws(VTError) {
        guard let rest = state.rest else {
            let end = input.firstIndex(of: UInt8(ascii: "\n"))
            state.header += input[..<(end ?? input.endIndex)]
            input = end.map { input[($0 + 1)...] } ?? []
            let words = state.header.split(separator: UInt8(ascii: " "))
            guard state.header.count <= Self.headerLimitBytes else { throw Git.unexpectedOutput("cat-file") }
            guard end != nil else { return }
            guard words.count == 3, let size = Int(String(decoding: words[2], as: UTF8.self)), size >= 0 else {
                throw VTError(.dataInvalid, "an object of the snapshot is missing")
            }
            state.header = []
            state.rest = size + 1
            if size == 0 { try receive(state.index, [], true) }
            return
        }
        let piece = input.prefix(rest)
        input = input.dropFirst(piece.count)
        state.rest = rest - piece.count
        // The last byte is the line feed.
        let contents = rest == piece.count ? piece.dropLast() : piece
        let isLast = rest - contents.count == 1
        if !contents.isEmpty { try receive(state.index, contents, isLast) }
        if rest == piece.count {
            state.rest = nil
            state.index += 1
        }
    }
}
