import Core
import System

/// The directory with the sockets of the processes that keep shared connections.
package struct MuxDirectory: Sendable {
    package let path: String

    /// How long a command should wait for another one that is starting a mux server.
    static let lockTimeout = Duration.seconds(2)
    private static let lockName = "lock"

    package init(path: String) {
        self.path = path
    }

    /// The socket of a connection's mux server with this number, starting at 0; more than one mux server is needed if
    /// the server limits the number of channels per connection.
    func socket(of key: [UInt8], number: Int) -> String {
        "\(path)/\(PlanCoding.hash(key)).\(number)"
    }

    /// The sockets of all mux servers, including those that no longer exist.
    func sockets() throws(VTError) -> [String] {
        try DirectoryListing.names(in: path).filter { $0 != Self.lockName }.sorted().map { "\(path)/\($0)" }
    }

    /// Runs `body` while no other command changes the directory, which is created if necessary.
    ///
    /// - Throws: `cannot-create`; `config` when other users can change the directory; `busy`, without waiting, when
    ///   another command is changing it; errors of `body`.
    func change<Result: ~Copyable>(_ body: () throws(VTError) -> Result) throws(VTError) -> Result {
        try TrustedPath.make(directory: path)
        return try FileLock(at: "\(path)/\(Self.lockName)", timeout: .zero).hold(body)
    }
}
