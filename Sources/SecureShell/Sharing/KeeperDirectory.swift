import Core
import Glibc
import POSIX

/// The directory with the sockets of the processes that keep shared connections.
package struct KeeperDirectory: Sendable {
    package let path: String

    /// How long to wait for another command that is starting a keeper.
    private static let lockTimeout = Duration.seconds(2)
    private static let lockName = "lock"

    package init(path: String) {
        self.path = path
    }

    /// The socket of the keeper with this number for a connection; the first one is 0, and further ones are needed if
    /// the server limits the number of channels per connection.
    func socket(of key: [UInt8], number: Int) -> String {
        "\(path)/\(KeeperPlan.hash(key)).\(number)"
    }

    /// The sockets of all keepers, including those that no longer exist.
    func sockets() throws(VTError) -> [String] {
        try DirectoryListing.names(in: path).filter { $0 != Self.lockName }.sorted().map { "\(path)/\($0)" }
    }

    /// Runs `body` while no other command changes the directory, which is created if necessary.
    ///
    /// - Throws: `cannot-create`; `config` when other users can change the directory; `busy`; errors of `body`.
    func change<Result: ~Copyable>(_ body: () throws(VTError) -> Result) throws(VTError) -> Result {
        try FileContents.makeDirectory(path)
        try TrustedPath.check(directory: path)
        return try FileLock(at: "\(path)/\(Self.lockName)", timeout: Self.lockTimeout).hold(body)
    }
}

/// Identifies the file at a path, to detect that another process has replaced it.
struct FileIdentity: Hashable, Sendable {
    private let device: dev_t
    private let number: ino_t

    /// Returns nil if there is no such file.
    init?(at path: String) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        device = status.st_dev
        number = status.st_ino
    }

    /// Removes the file at the path if it is this one.
    func remove(at path: String) {
        if FileIdentity(at: path) == self { unsafe unlink(path) }
    }
}
