import Core

/// Input that has not been written to the terminal, in order of arrival.
struct InputQueue {
    struct Job {
        var client: HolderClient
        var token: [UInt8]?
        /// Whether the token is the ID of this request, to be recorded.
        var isIdentified = false
        var sequence: UInt64
        var bytes: [UInt8]
        var written = 0
        /// The end of the output just before the first of these bytes was written.
        var offset: UInt64?
        /// Whether the terminal hid the first of these bytes.
        var isHidden = false
    }

    var jobs: [Job] = []
    /// The last input received from each client with a token, most recent client last.
    private var taken: [(token: [UInt8], sequence: UInt64)] = []

    /// The limit per client, so that no client can fill the queue while the program does not read its input.
    private static let limitBytes = 64 << 10
    private static let tokenLimit = 64

    var isEmpty: Bool { jobs.isEmpty }

    /// Whether a client may queue this number of bytes; if it has nothing else queued, input of any size is accepted.
    func hasRoom(for bytes: Int, of client: HolderClient) -> Bool {
        let count = jobs.reduce(0) { $1.client === client ? $0 + $1.bytes.count : $0 }
        return count == 0 || count + bytes <= Self.limitBytes
    }

    func lastTaken(of token: [UInt8]?) -> UInt64 {
        taken.last { $0.token == token }?.sequence ?? 0
    }

    mutating func add(_ job: Job) {
        jobs.append(job)
        guard let token = job.token else { return }
        taken.removeAll { $0.token == token }
        taken.append((token, job.sequence))
        if taken.count > Self.tokenLimit { taken.removeFirst() }
    }

    /// Assigns queued input to its client after a reconnection; returns false if the input has already been written.
    mutating func adopt(_ sequence: UInt64, of token: [UInt8]?, by client: HolderClient) -> Bool {
        guard let index = jobs.firstIndex(where: { $0.token == token && $0.sequence == sequence }) else {
            return false
        }
        jobs[index].client = client
        return true
    }

    mutating func removeFirst() -> Job {
        jobs.removeFirst()
    }

    /// Drops the remaining input of disconnected clients, unless they have a token and may reconnect; input with an ID is
    /// sent again unless it has begun.
    mutating func dropAbandoned() {
        jobs.removeAll { $0.client.isGone && ($0.token == nil || $0.isIdentified && $0.offset == nil) }
    }
}
