import Core
import Glibc
import System

/// The requests to which clients have given an ID, in a file that is read when it is unknown whether one was received.
///
/// Each line is the ID, in hexadecimal, and a `RequestState`; the last line with an ID counts.
struct RequestLog: ~Copyable {
    private let path: String
    /// Nil until there is a request.
    private var file: FileDescriptor?
    /// The last requests, most recent last.
    private var requests: [(id: String, state: RequestState)] = []
    private var lineCount = 0

    /// The number of requests that are remembered.
    private static let requestLimit = 256
    /// The number of lines after which the file is replaced by a shorter one.
    private static let lineLimit = 2048

    /// Reads the file if an earlier holder of the session has left one.
    init(path: String) {
        self.path = path
        for (id, state) in Self.lines(of: path) {
            set(id, state)
            lineCount += 1
        }
    }

    func state(of id: [UInt8]) -> RequestState {
        let id = id.hexadecimal
        return requests.last { $0.id == id }?.state ?? .unseen
    }

    /// Records that a request begins to have an effect; on return, this is on disk.
    ///
    /// - Throws: `io` and `cannot-create`, and then the request must have no effect.
    mutating func begin(_ id: [UInt8]) throws(VTError) {
        guard state(of: id) != .begun else { return }
        try append(id.hexadecimal, .begun)
        guard let number = file?.number, fdatasync(number) == 0 else {
            throw .system(errno, "cannot write '\(path)'")
        }
        set(id.hexadecimal, .begun)
    }

    /// Records that a request is complete or, with `unseen`, has been taken back.
    ///
    /// A failure is ignored: it then remains unknown whether the request is complete.
    mutating func end(_ id: [UInt8], _ state: RequestState) {
        set(id.hexadecimal, state)
        try? append(id.hexadecimal, state)
    }

    private mutating func set(_ id: String, _ state: RequestState) {
        requests.removeAll { $0.id == id }
        requests.append((id, state))
        if requests.count > Self.requestLimit { requests.removeFirst() }
    }

    private mutating func append(_ id: String, _ state: RequestState) throws(VTError) {
        if lineCount >= Self.lineLimit { try shorten() }
        let file =
            if let file = self.file.take() {
                file
            } else {
                try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_APPEND, fallback: .cannotCreate)
            }
        let failure = BlockingIO.write(file.number, Self.line(id, state))
        self.file = consume file
        guard failure == 0 else { throw .system(failure, "cannot write '\(path)'") }
        lineCount += 1
    }

    private mutating func shorten() throws(VTError) {
        let file = try AtomicFile(replacing: path)
        try file.write(requests.flatMap { Self.line($0.id, $0.state) })
        try file.commit()
        self.file = nil
        lineCount = requests.count
    }

    private static func line(_ id: String, _ state: RequestState) -> [UInt8] {
        Array("\(id) \(state.rawValue)\n".utf8)
    }

    /// Reads the state of a request from the file, also while the holder is running.
    static func state(of id: [UInt8], in path: String) -> RequestState {
        let id = id.hexadecimal
        return lines(of: path).last { $0.id == id }?.state ?? .unseen
    }

    /// The complete lines of the file.
    private static func lines(of path: String) -> [(id: String, state: RequestState)] {
        FileContents.smallLines(path).compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 2, let state = RequestState(rawValue: String(words[1])) else { return nil }
            return (String(words[0]), state)
        }
    }
}
