import NIOCore
import Synchronization

/// The open connections of a server, each of which has a place.
///
/// A connection without a login never takes the place of one with a login, nor keeps another one out: if all places of
/// strangers are taken, the machine with the most of them loses its oldest one.
final class Connections: Sendable {
    /// What a connection is used for.
    enum Use: Hashable {
        /// Nothing is known of the client.
        case stranger
        /// A request of a client that has logged in is being performed.
        case request
        /// A WebSocket or a stream of a client that has logged in.
        case client
        /// A file is sent to a page with this link.
        case download(link: String)
        /// A command on this machine, through the control socket.
        case command
    }

    private struct Connection {
        let channel: any Channel
        let address: String
        /// Connections are numbered in the order in which they are opened.
        let number: Int
        var use: Use
    }

    private struct State {
        var connections: [ObjectIdentifier: Connection] = [:]
        var count = 0

        func count(of use: Use) -> Int { connections.values.count { $0.use == use } }

        var downloadCount: Int {
            connections.values.count { if case .download = $0.use { true } else { false } }
        }

        /// The connection to close when there are too many with this use.
        func oldest(_ use: Use) -> Connection? {
            let candidates = connections.values.filter { $0.use == use }
            let counts = candidates.reduce(into: [:]) { $0[$1.address, default: 0] += 1 }
            return candidates.min { first, second in
                let (one, other) = (counts[first.address] ?? 0, counts[second.address] ?? 0)
                return one == other ? first.number < second.number : one > other
            }
        }
    }

    private static let strangerLimit = 64
    private static let commandLimit = 16
    private static let requestLimit = 64
    private static let downloadLimit = 32
    /// The number of files that are sent to the pages with a link at the same time.
    private static let downloadsPerLink = 4

    private let state = Mutex(State())

    /// Adds a connection that has been accepted, in place of another one if there are too many.
    func add(_ channel: any Channel, as use: Use) {
        let limit = use == .command ? Self.commandLimit : Self.strangerLimit
        let replaced = state.withLock { state -> (any Channel)? in
            let replaced = state.count(of: use) < limit ? nil : state.oldest(use)?.channel
            if let replaced { state.connections[ObjectIdentifier(replaced)] = nil }
            state.count += 1
            state.connections[ObjectIdentifier(channel)] = Connection(
                channel: channel,
                address: channel.peerAddress,
                number: state.count,
                use: use
            )
            return replaced
        }
        replaced?.close(promise: nil)
        channel.closeFuture.whenComplete { _ in
            self.state.withLock { _ = $0.connections.removeValue(forKey: ObjectIdentifier(channel)) }
        }
    }

    /// Gives a connection another use; returns false if there are too many with this use.
    ///
    /// The caller counts clients.
    func use(_ channel: any Channel, as use: Use) -> Bool {
        state.withLock { state in
            switch use {
            case .request: guard state.count(of: use) < Self.requestLimit else { return false }
            case .download:
                guard state.count(of: use) < Self.downloadsPerLink, state.downloadCount < Self.downloadLimit else {
                    return false
                }
            case .stranger, .client, .command: break
            }
            state.connections[ObjectIdentifier(channel)]?.use = use
            return true
        }
    }

    /// All connections.
    var channels: [any Channel] { state.withLock { $0.connections.values.map(\.channel) } }
}
