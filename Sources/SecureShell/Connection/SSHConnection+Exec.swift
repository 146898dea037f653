import CGuardedSSH2
import CLibSSH2
import Core
import NIOCore
import Runtime
import System

extension SSHConnection {
    /// Runs a program as `CommandHost.run` describes.
    func run(_ request: ExecRequest, streams: ProgramStreams) async throws(VTError) -> ExitStatus {
        let timer = limitAnswer()
        defer { timer.cancel() }
        let id: ChannelID
        do throws(SSHFailure) {
            id = try await openSession()
        } catch {
            throw failure(error, doing: "open a session on").leaving(.notStarted)
        }
        try await start(request, on: id, observer: observer)
        timer.cancel()
        return try await finish(streams, on: id)
    }

    /// Starts a program on a channel from `openSession`, which is closed on failure.
    ///
    /// Until this returns, no other program can be started. If the task is canceled, libssh2 might mistake an
    /// outstanding reply for the reply to another program's request.
    func start(
        _ request: ExecRequest,
        on id: ChannelID,
        observer: @escaping ConnectionObserver
    ) async throws(VTError) {
        do throws(VTError) {
            let isFirst = request.offeredEnvironment.contains { acceptedVariables[$0.name] == nil }
            try await inRequestTurn(isAlone: isFirst) { () async throws(VTError) in
                try await begin(request, on: id, observer: observer)
            }
        } catch {
            abandon(id)
            throw error
        }
    }

    /// Transfers data until the program has ended, and closes the channel.
    func finish(_ streams: ProgramStreams, on id: ChannelID) async throws(VTError) -> ExitStatus {
        do throws(VTError) {
            let status = try await exchange(streams, on: id)
            forget(id)
            return status
        } catch {
            abandon(id)
            throw error
        }
    }

    /// Opens a channel for a program.
    func openSession() async throws(SSHFailure) -> ChannelID {
        let id = try await openChannel("session", window: ChannelHandle.windowBytes)
        stopAcknowledgingQuickly()
        return id
    }

    /// Opens a channel for a program; gives up once the server has been silent for this time, if given, or after the
    /// timeout for the start of a program.
    ///
    /// In that case, the connection cannot open further channels.
    func openSession(silence: TimeAmount?) async throws(SSHFailure) -> ChannelID {
        let start = NIODeadline.now()
        let limit = TimeAmount(answerTimeout)
        let end = start + limit
        let silence = silence ?? limit
        let opening = Task<Result<ChannelID, SSHFailure>, Never>(executorPreference: executor) {
            await Result { () async throws(SSHFailure) in try await self.openSession() }
        }
        let watch = eventLoop.scheduleRepeatedTask(initialDelay: silence, delay: .milliseconds(500)) { [weak self] _ in
            guard let self else { return }
            let last = assumeIsolated { $0.wire.lastArrival }
            if .now() >= min(end, max(start, last) + silence) { opening.cancel() }
        }
        defer { watch.cancel() }
        return try await opening.value.get()
    }

    /// Processes messages from the server while a channel is unused; returns when the server has closed the channel.
    func wait(on id: ChannelID) async throws(SSHFailure) {
        let handle = try channel(id)
        while !handle.isAtEnd {
            guard try read(handle, stream: 0) == nil else { continue }
            try discardUnknownStreams(handle)
            if handle.isAtEnd { return }
            try await progress()
        }
    }

    /// Opens a channel of this type, with its type-specific data (RFC 4254 §5.1).
    ///
    /// If the task is canceled, the libssh2 session is left in the middle of the request, so the connection cannot open
    /// further channels.
    func openChannel(
        _ type: StaticString,
        window: UInt32,
        data: [UInt8] = []
    ) async throws(SSHFailure) -> ChannelID {
        try await inTurn { () async throws(SSHFailure) in
            guard !isFull else { throw .channelRefusal }
            do throws(SSHFailure) {
                let handle = try await perform { session throws(SSHFailure) in
                    try session.openChannel(type, window: window, data: data)
                }
                return adopt(handle)
            } catch {
                if case .stopped = error { retire() }
                throw error
            }
        }
    }

    /// Transfers data in both directions until the program has ended and its output is delivered.
    private func exchange(_ streams: ProgramStreams, on id: ChannelID) async throws(VTError) -> ExitStatus {
        // The input can end long before the program does, or never.
        try await firstResult { tasks in
            tasks.add { () async throws(VTError) in
                try await self.feed(streams.input, to: id)
                return nil
            }
            if let sizes = streams.sizes {
                tasks.add { () async throws(VTError) in
                    try await self.follow(sizes, on: id)
                    return nil
                }
            }
            if let signals = streams.signals {
                tasks.add { () async throws(VTError) in
                    try await self.forward(signals, to: id)
                    return nil
                }
            }
            if preludes[id] != nil {
                tasks.add { () async throws(VTError) in
                    try await self.watchPrelude(of: id)
                    return nil
                }
            }
            tasks.add { () async throws(VTError) in try await self.drain(id, to: streams) }
        }
    }

    // MARK: - Output

    private func drain(_ id: ChannelID, to streams: ProgramStreams) async throws(VTError) -> ExitStatus {
        do throws(SSHFailure) {
            let handle = try channel(id)
            while true {
                let output = try read(handle, stream: 0)
                if let output { try await deliver(passed(output, on: id), to: streams.output) }
                let errors = try read(handle, stream: CInt(SSH_EXTENDED_DATA_STDERR))
                if let errors { try await deliver(errors, to: streams.errorOutput) }
                guard output == nil, errors == nil else { continue }
                try discardUnknownStreams(handle)
                if handle.isAtEnd { break }
                try await progress()
            }
            // The status can arrive after the end of the output, but before the close.
            try await perform("channel_wait_closed") { _ in handle.waitClosed() }
            try await finishPrelude(on: id, output: streams.output)
            return handle.exitStatus(in: session)
        } catch {
            throw failure(error, doing: "read from")
        }
    }

    /// Returns the available bytes of a stream; nil if there are none.
    func read(_ handle: ChannelHandle, stream: CInt) throws(SSHFailure) -> [UInt8]? {
        let bytes = try attempt { session throws(SSHFailure) -> [UInt8]? in
            let count = unsafe readBuffer.withUnsafeMutableBytes { unsafe handle.read(stream: stream, into: $0) }
            // Copied immediately: other tasks are woken after the call and read into the same buffer.
            return try session.checked("channel_read", count).map { Array(readBuffer[..<$0]) }
        }
        return bytes?.isEmpty == false ? bytes : nil
    }

    /// Discards extended data of types not defined in RFC 4254 §5.2.
    ///
    /// Unread, it would fill the window, and libssh2 does not report the end of the output while any is left. Once all
    /// available error output has been read, the remaining extended data is of such types.
    private func discardUnknownStreams(_ handle: ChannelHandle) throws(SSHFailure) {
        guard handle.unreadBytes > 0 else { return }
        _ = try attempt("channel_flush") { _ in handle.discardExtendedData() }
    }

    func deliver(_ bytes: [UInt8], to sink: any ByteSink) async throws(SSHFailure) {
        try await SSHFailure.stopping { () async throws(VTError) in try await sink.write(bytes) }
    }

    // MARK: - Input

    /// Sends the whole source as input.
    func feed(_ source: any ByteSource, to id: ChannelID) async throws(VTError) {
        let isPreludeSent = try await sent { () async throws(SSHFailure) in try await sendPrelude(to: id) }
        guard isPreludeSent else { return }
        while let bytes = try await source.read() {
            let isSent = try await sent { () async throws(SSHFailure) in try await send(bytes, to: id) }
            guard isSent else { return }
        }
        _ = try await sent { () async throws(SSHFailure) in
            let handle = try channel(id)
            try await perform("channel_send_eof") { _ in handle.sendEnd() }
        }
    }

    func send(_ bytes: [UInt8], to id: ChannelID) async throws(SSHFailure) {
        var offset = 0
        while offset < bytes.count {
            let handle = try channel(id)
            if !wire.isWritable {
                wire.flush()
                while !wire.isWritable { try await progress() }
            }
            let start = offset
            let count = try attempt("channel_write", isMoreComing: true) { _ in
                unsafe bytes.withUnsafeBytes { unsafe handle.write(UnsafeRawBufferPointer(rebasing: $0[start...])) }
            }
            if let count {
                offset += count
            } else {
                wire.flush()
                try await progress()
            }
        }
        wire.flush()
    }

    private func follow(_ sizes: AsyncStream<TerminalSize>, on id: ChannelID) async throws(VTError) {
        _ = try await sent(doing: "resize the terminal on") { () async throws(SSHFailure) in
            for await size in sizes {
                let handle = try channel(id)
                try await perform("channel_request_pty_size") { _ in handle.resize(size) }
            }
        }
    }

    /// Sends signals to the program; whether the library or the server has ignored them is not known.
    private func forward(_ signals: AsyncStream<SignalName>, to id: ChannelID) async throws(VTError) {
        guard guarded_can_signal() else { return }
        _ = try await sent(doing: "send a signal to") { () async throws(SSHFailure) in
            for await signal in signals {
                let handle = try channel(id)
                try await perform("channel_signal") { _ in handle.signal(signal) }
            }
        }
    }

    /// Sends something to a program; returns false if the program accepts nothing more, which is not a failure.
    ///
    /// A lost connection is reported by the reader, because output and status might have arrived before the loss.
    private func sent(
        doing what: String = "write to",
        _ body: () async throws(SSHFailure) -> Void
    ) async throws(VTError) -> Bool {
        do throws(SSHFailure) {
            try await body()
            return true
        } catch {
            let isClosed = error.code == LIBSSH2_ERROR_CHANNEL_CLOSED || error.code == LIBSSH2_ERROR_CHANNEL_EOF_SENT
            guard isClosed || wire.isEnded else { throw failure(error, doing: what) }
            return false
        }
    }

    // MARK: - Ends

    /// Abandons a program that might still be running: sends TERM if the library supports signals, and closes the
    /// channel.
    private func abandon(_ id: ChannelID) {
        if failure == nil, let handle = try? channel(id) {
            _ = handle.signal(SignalName("TERM"))
        }
        forget(id)
        wire.flush()
    }

    /// Returns the error to report to the user.
    func failure(_ failure: SSHFailure, doing what: String) -> VTError {
        if case .stopped(let error) = failure { return error }
        var error = VTError(.protocolViolation, "cannot \(what) '\(name)'")
        if failure.isLinkLoss || wire.isDrained {
            error = linkLoss()
        } else if failure.isChannelRefusal {
            error.message += ": the server refused another channel"
            error.hint = "MaxSessions in sshd_config(5) limits the number of channels per connection"
        } else if failure.isDenial {
            error.message += ": the server rejected the request"
        }
        error.causes += failure.causes
        return error
    }
}
