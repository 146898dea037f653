import Foundation
import TestSupport

/// A lab with running `vt ssh` commands that forward connections.
struct ForwardLab: Sendable {
    let lab: Lab

    init(_ options: OpenSSHServer.Options = .init()) async throws {
        lab = try await .met(options)
    }

    /// Starts `vt ssh -N WORDS… p`, and waits until it accepts connections on the port.
    func start(_ words: [String], port: UInt16) async throws -> RunningProgram {
        let program = try lab.vt.call(["ssh", "-N"] + words + ["p"]).start()
        guard await eventually({ Self.accepts(port) }) else { throw FixtureError("no listener on \(port)") }
        return program
    }

    /// Whether a process listens on the port, according to /proc/net/tcp (proc_net(5)).
    static func accepts(_ port: UInt16) -> Bool {
        let hex = String(port, radix: 16, uppercase: true)
        let suffix = ":" + String(repeating: "0", count: 4 - hex.count) + hex
        let table = (try? String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)) ?? ""
        return table.split(separator: "\n").contains { line in
            let fields = line.split(separator: " ")
            return fields.count > 3 && fields[1].hasSuffix(suffix) && fields[3] == "0A"
        }
    }

    /// Makes `count` connections at the same time, on each of which it sends `size` bytes, ends its direction, and
    /// expects the same bytes back; returns the number of connections on which they arrived.
    static func exchange(port: UInt16 = 0, socket: String = "", count: Int = 1, size: Int) async throws -> Int {
        let words = ["-c", client, String(port), socket, String(count), String(size)]
        let output = try await ProgramCall("python3", words).check()
        return Int(output.dropLast()) ?? -1
    }

    private static let client = """
        import random, socket, sys, threading
        port, path, count, size = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
        data = random.Random(1).randbytes(size)
        ready = threading.Barrier(count)
        good = []
        def exchange():
            peer = socket.socket(socket.AF_UNIX if path else socket.AF_INET)
            peer.connect(path or ('127.0.0.1', port))
            ready.wait()
            def send():
                try:
                    peer.sendall(data)
                    peer.shutdown(socket.SHUT_WR)
                except OSError:
                    pass
            sender = threading.Thread(target=send)
            sender.start()
            parts = []
            try:
                while part := peer.recv(65536): parts.append(part)
            except OSError:
                pass
            sender.join()
            if b''.join(parts) == data: good.append(1)
        threads = [threading.Thread(target=exchange) for _ in range(count)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        print(len(good))
        """
}
