import Foundation

/// TCP ports on 127.0.0.1.
package enum LoopbackPort {
    /// Returns a port that is currently unused.
    package static func free() throws -> UInt16 {
        let socket = try LoopbackSocket()
        try socket.bind(port: 0)
        return try socket.port()
    }

    /// Returns whether the port accepts a connection.
    package static func accepts(_ port: UInt16) -> Bool {
        guard let socket = try? LoopbackSocket() else { return false }
        return (try? socket.connect(port: port)) != nil
    }
}

/// A TCP socket, closed when the last reference is released.
final class LoopbackSocket: Sendable {
    let descriptor: Int32

    init() throws {
        descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw FixtureError("socket: errno \(errno)") }
    }

    init(owning descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    func bind(port: UInt16) throws {
        try withAddress(port) { address, length in
            guard Glibc.bind(descriptor, address, length) == 0 else { throw FixtureError("bind: errno \(errno)") }
        }
    }

    func connect(port: UInt16) throws {
        try withAddress(port) { address, length in
            guard Glibc.connect(descriptor, address, length) == 0 else { throw FixtureError("connect: errno \(errno)") }
        }
    }

    func port() throws -> UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard result == 0 else { throw FixtureError("getsockname: errno \(errno)") }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Shuts down one or both directions, which makes blocked calls on the socket return.
    func shutdown(_ directions: Int = SHUT_RDWR) {
        Glibc.shutdown(descriptor, Int32(directions))
    }

    /// Sends the end of the stream to the peer, and continues to receive.
    func endOutput() {
        shutdown(SHUT_WR)
    }

    func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Makes `receive` fail if nothing arrives for half a second.
    func limitWait() {
        var limit = timeval(tv_sec: 0, tv_usec: 500_000)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Returns nil at the end of the stream and after an error.
    func receive() -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        return count > 0 ? Array(chunk.prefix(count)) : nil
    }

    /// Returns false after an error.
    func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private func withAddress(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Void) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        try withUnsafePointer(to: &address) {
            try $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                try body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
