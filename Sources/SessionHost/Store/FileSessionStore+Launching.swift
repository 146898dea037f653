import Core
import Glibc
import System

/// Starts the process that runs a session, and waits until the session has started.
extension FileSessionStore {
    /// The environment variables that a holder inherits: those needed by the launch prefix, and those set by tests.
    ///
    /// All others are removed, because a holder can run for weeks.
    private static let inheritedVariables: [String] = {
        var names = ["PATH", "HOME", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"]
        #if DEBUG || FAULTS
            names.append("VT_FAULT")
        #endif
        return names
    }()

    /// How long a holder may take to start, in milliseconds; loading a program from a slow disk can take a long time.
    private static let startTimeout: CInt = 30_000

    /// Starts a holder, which inherits `lock`; returns the session's record once its program is running.
    ///
    /// - Throws: The holder's errors; `system` when it does not reply, in which case its program may be running.
    func launch(
        _ document: LaunchDocument,
        prefix: [ByteString],
        lock: borrowing FileDescriptor
    ) throws(VTError) -> Session {
        let pair = try DescriptorPair.sockets()
        // vt itself, with a hidden verb.
        let plan = SpawnPlan(
            arguments: prefix + [ByteString(program), SessionHolder.verb, ByteString(document.record.id.text)],
            environment: Self.inheritedEnvironment,
            directory: "/"
        )
        let null = try FileDescriptor.open("/dev/null", O_RDWR)
        let child = try ChildProcess.spawn(
            plan,
            on: .descriptors(input: pair.second.number, output: lock.number, errorOutput: null.number)
        )
        Fault.point(.createHolder)
        let channel = FileDescriptor(owning: pair.releaseFirst())
        do throws(VTError) {
            let record = try converse(document, over: channel.number)
            // Reap the holder if it exits before this process does. If no thread can be started, the holder remains a
            // zombie until this process exits.
            let holder = child.processID
            try? startThread { waitpid(holder, nil, 0) }
            return record
        } catch {
            // A failed holder exits on its own; one that hangs must not start the session later.
            child.signal(SIGKILL)
            waitpid(child.processID, nil, 0)
            throw error
        }
    }

    private static var inheritedEnvironment: [ByteString] {
        Environment.process.words.filter { word in
            let name = word.bytes.prefix { $0 != UInt8(ascii: "=") }
            return inheritedVariables.contains(String(decoding: name, as: UTF8.self))
        }
    }

    private func converse(_ document: LaunchDocument, over channel: CInt) throws(VTError) -> Session {
        let name = document.record.name
        let silent = VTError(.system, "cannot start session '\(name)': its holder exited before the session started")
        guard UnixSocket.send(channel, document.encoded) == 0 else { throw silent }
        var decoder = SessionFrameDecoder()
        while true {
            var request = pollfd(fd: channel, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&request, 1, Self.startTimeout) != 0 else {
                let seconds = Self.startTimeout / 1000
                throw VTError(.system, "cannot start session '\(name)': its holder did not respond within \(seconds)s")
            }
            // A holder that is killed before it has read the whole request resets the connection.
            guard let bytes = try? BlockingIO.read(channel, limit: 65_536), !bytes.isEmpty else { throw silent }
            decoder.append(bytes)
            switch try decoder.next() {
            case .record(let session): return session
            case .failure(let error): throw error
            case .some: throw silent
            case nil: continue
            }
        }
    }
}
