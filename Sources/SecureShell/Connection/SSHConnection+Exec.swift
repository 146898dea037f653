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
        do throws(CallFailure) {
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
    func openSession() async throws(CallFailure) -> ChannelID {
        let id = try await openChannel("session", window: ChannelHandle.windowBytes)
        stopAcknowledgingQuickly()
        return id
    }

    /// Opens a channel for a program; gives up once the server has been silent for this time, if given, or after the
    /// timeout for the start of a program.
    ///
    /// In that case, the connection cannot open further channels.
    func openSession(silence: TimeAmount?) async throws(CallFailure) -> ChannelID {
        let start = NIODeadline.now()
        let limit = TimeAmount(answerTimeout)
        let end = start + limit
        let silence = silence ?? limit
        let opening = Task<Result<ChannelID, CallFailure>, Never>(executorPreference: executor) {
            do throws(CallFailure) {
                return .success(try await self.openSession())
            } catch {
                return .failure(error)
            }
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
    func wait(on id: ChannelID) async throws(CallFailure) {
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
    ) async throws(CallFailure) -> ChannelID {
        try await inTurn { () async throws(CallFailure) in
            guard !isFull else { throw .engine(.channelRefusal) }
            do throws(CallFailure) {
                let handle = try await perform { session throws(EngineError) in
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
        do throws(CallFailure) {
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
    func read(_ handle: ChannelHandle, stream: CInt) throws(CallFailure) -> [UInt8]? {
        let bytes = try attempt { session throws(EngineError) -> [UInt8]? in
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
    private func discardUnknownStreams(_ handle: ChannelHandle) throws(CallFailure) {
        guard handle.unreadBytes > 0 else { return }
        _ = try attempt("channel_flush") { _ in handle.discardExtendedData() }
    }

    func deliver(_ bytes: [UInt8], to sink: any ByteSink) async throws(CallFailure) {
        do throws(VTError) {
            try await sink.write(bytes)
        } catch {
            throw .stopped(error)
        }
    }

    // MARK: - Input

    /// Sends the whole source as input.
    func feed(_ source: any ByteSource, to id: ChannelID) async throws(VTError) {
        guard try await sendPrelude(to: id) else { return }
        while let bytes = try await source.read() {
            guard try await send(bytes, to: id) else { return }
        }
        do throws(CallFailure) {
            let handle = try channel(id)
            try await perform("channel_send_eof") { _ in handle.sendEnd() }
        } catch {
            guard !isRemoteClose(error) else { return }
            throw failure(error, doing: "write to")
        }
    }

    /// Sends all bytes; returns false if the program accepts no more input.
    func send(_ bytes: [UInt8], to id: ChannelID) async throws(VTError) -> Bool {
        var offset = 0
        do throws(CallFailure) {
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
            return true
        } catch {
            guard !isRemoteClose(error) else { return false }
            throw failure(error, doing: "write to")
        }
    }

    /// Whether the server closed the channel while there was input to send, which is not a failure.
    ///
    /// A lost connection is reported by the reader, because output and status might have arrived before the loss.
    func isRemoteClose(_ failure: CallFailure) -> Bool {
        if wire.isEnded { return true }
        guard case .engine(let error) = failure else { return false }
        return error.code == LIBSSH2_ERROR_CHANNEL_CLOSED || error.code == LIBSSH2_ERROR_CHANNEL_EOF_SENT
    }

    private func follow(_ sizes: AsyncStream<TerminalSize>, on id: ChannelID) async throws(VTError) {
        do throws(CallFailure) {
            for await size in sizes {
                let handle = try channel(id)
                try await perform("channel_request_pty_size") { _ in handle.resize(size) }
            }
        } catch {
            if !isRemoteClose(error) { throw failure(error, doing: "resize the terminal on") }
        }
    }

    /// Sends signals to the program; whether the library or the server has ignored them is not known.
    private func forward(_ signals: AsyncStream<SignalName>, to id: ChannelID) async throws(VTError) {
        do throws(CallFailure) {
            for await signal in signals {
                let handle = try channel(id)
                try await perform("channel_signal") { _ in handle.signal(signal) }
            }
        } catch {
            if case .engine(let unsent) = error, unsent.code == LIBSSH2_ERROR_METHOD_NOT_SUPPORTED { return }
            if !isRemoteClose(error) { throw failure(error, doing: "send a signal to") }
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
    func failure(_ failure: CallFailure, doing what: String) -> VTError {
        switch failure {
        case .stopped(let error):
            return error
        case .engine(let error) where error.isLinkLoss || wire.isDrained:
            var lost = linkLoss()
            lost.causes.append(error.summary)
            return lost
        case .engine(let error) where error.isChannelRefusal:
            return VTError(
                .protocolViolation,
                "cannot \(what) '\(name)': the server refused another channel",
                hint: "MaxSessions in sshd_config(5) limits the number of channels per connection",
                causes: [error.summary]
            )
        case .engine(let error) where error.code == LIBSSH2_ERROR_CHANNEL_REQUEST_DENIED:
            return VTError(
                .protocolViolation,
                "cannot \(what) '\(name)': the server rejected the request",
                causes: [error.summary]
            )
        case .engine(let error):
            return VTError(.protocolViolation, "cannot \(what) '\(name)'", causes: [error.summary])
        }
    }
}
