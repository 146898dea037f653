import Core
import Runtime

extension SSHConnection {
    /// The maximum length of a command line in a request; a longer one is sent through the prelude.
    ///
    /// libssh2 sends a request in a single packet, and limits packets to 35,000 bytes (`MAX_SSH_PACKET_LEN`).
    private static let lineLimitBytes = 32_000
    /// The same limit for Dropbear, which rejects commands of more than 9,000 bytes (`MAX_CMD_LEN`) and disconnects.
    private static let dropbearLineLimitBytes = 8_000
    /// The maximum length of a variable's value in a request.
    private static let valueLimitBytes = 16_000
    /// How long a prelude may take to start, to allow for slow login scripts.
    private static let preludeTimeout = Duration.seconds(30)

    /// Starts the requested program on a channel; rejected variables are reported to the observer.
    func begin(
        _ request: ExecRequest,
        on id: ChannelID,
        observer: @escaping ConnectionObserver
    ) async throws(VTError) {
        do throws(SSHFailure) {
            if let terminal = request.terminal { try await self.request(terminal, on: id) }
            let (program, variables) = try await prepare(request, on: id)
            try await start(program, offering: variables, on: id, observer: observer)
        } catch {
            guard case .subsystem(let subsystem) = request.command else {
                let failure = failure(error, doing: "start the command on")
                throw error.isDenial ? failure.leaving(.notStarted) : failure
            }
            var failure = failure(error, doing: "start the subsystem '\(subsystem.repairedText)' on")
            if error.isDenial { failure.hint = "see Subsystem in sshd_config(5)" }
            throw failure
        }
    }

    /// Requests a terminal for the program.
    private func request(_ terminal: ExecRequest.Terminal, on id: ChannelID) async throws(SSHFailure) {
        let handle = try channel(id)
        do throws(SSHFailure) {
            try await perform("channel_request_pty") { _ in handle.requestTerminal(terminal) }
        } catch {
            guard error.isDenial else { throw error }
            var failure = failure(error, doing: "allocate a terminal on")
            failure.hint = "see PermitTTY in sshd_config(5), and the option no-pty in authorized_keys"
            throw .stopped(failure)
        }
    }

    /// Sets the variables that the program must have, and returns how to start it, with the variables to offer.
    private func prepare(
        _ request: ExecRequest,
        on id: ChannelID
    ) async throws(SSHFailure) -> (program: ChannelHandle.Program, offered: [EnvironmentVariable]) {
        var request = request
        if !announces(request) { request.announcement = nil }
        guard request.command != .loginShell, let command = RemoteCommandLine(request) else {
            let variables = request.environment + request.offeredEnvironment
            guard case .subsystem(let name) = request.command else { return (.shell, variables) }
            return (.subsystem(name), variables)
        }
        let refused = try await request.environment.suffix(from: setVariables(request.environment, on: id))
        guard !refused.isEmpty || command.line.bytes.count > lineLimitBytes else {
            return (.line(command.line), request.offeredEnvironment)
        }
        var prelude = CommandPrelude(hasTerminal: request.terminal != nil)
        prelude.input = CommandPrelude.input(for: command, variables: Array(refused))
        preludes[id] = prelude
        return (.line(prelude.line), request.offeredEnvironment)
    }

    private var lineLimitBytes: Int {
        serverIdentification.contains("dropbear") ? Self.dropbearLineLimitBytes : Self.lineLimitBytes
    }

    // MARK: - Requests

    /// Requests that the server set the variables, and returns the number that it accepted.
    ///
    /// Stops at the first refusal: each request costs a round trip, and the prelude that is needed for the refused
    /// variable can set the others at no extra cost.
    private func setVariables(_ variables: [EnvironmentVariable], on id: ChannelID) async throws(SSHFailure) -> Int {
        let handle = try channel(id)
        for (index, variable) in variables.enumerated() {
            guard variable.value.utf8.count <= Self.valueLimitBytes else { return index }
            do throws(SSHFailure) {
                try await perform("channel_setenv") { _ in handle.set(variable) }
            } catch {
                guard error.isDenial else { throw error }
                return index
            }
        }
        return variables.count
    }

    /// Offers the variables, and starts the program, if possible without waiting for the reply to the last of them.
    private func start(
        _ program: ChannelHandle.Program,
        offering variables: [EnvironmentVariable],
        on id: ChannelID,
        observer: @escaping ConnectionObserver
    ) async throws(SSHFailure) {
        let handle = try channel(id)
        var offered: [EnvironmentVariable] = []
        for variable in variables {
            if variable.value.utf8.count <= Self.valueLimitBytes, acceptedVariables[variable.name] != false {
                offered.append(variable)
            } else {
                observer(name, .refused(variable: variable.name))
            }
        }
        for variable in offered.dropLast() {
            try await offer(variable, observer) { () async throws(SSHFailure) in
                try await perform("channel_setenv") { _ in handle.set(variable) }
            }
        }
        if let last = offered.last {
            // libssh2 looks for the reply to a request among the replies received, successes first. Therefore, it can
            // distinguish the replies to two requests only if each arrives during a call, or the first is known to be a
            // success.
            let canContinue = acceptedVariables[last.name] == true || isAlone(id)
            try await offer(last, observer) { () async throws(SSHFailure) in
                guard try attempt("channel_setenv", { _ in handle.set(last) }) == nil else { return }
                // Replies arrive in the order of requests (RFC 4254 §4), so none of them can have arrived yet.
                if canContinue { _ = try attempt("channel_process_startup") { _ in handle.start(program) } }
                try await perform("channel_setenv") { _ in handle.set(last) }
            }
        }
        try await perform("channel_process_startup") { _ in handle.start(program) }
    }

    /// Offers a variable that the server may refuse, and remembers the reply.
    private func offer(
        _ variable: EnvironmentVariable,
        _ observer: @escaping ConnectionObserver,
        _ body: () async throws(SSHFailure) -> Void
    ) async throws(SSHFailure) {
        do throws(SSHFailure) {
            try await body()
            acceptedVariables[variable.name] = true
        } catch {
            guard error.isDenial else { throw error }
            acceptedVariables[variable.name] = false
            observer(name, .refused(variable: variable.name))
        }
    }

    // MARK: - Prelude

    /// Returns the output without the prelude's announcements.
    func passed(_ output: [UInt8], on id: ChannelID) -> [UInt8] {
        guard var prelude = preludes[id], !prelude.isDone else { return output }
        let (before, after) = prelude.output.split(output)
        preludes[id] = prelude
        wake()
        return before + after
    }

    /// Sends the prelude's input, and returns when the command's input can follow.
    func sendPrelude(to id: ChannelID) async throws(SSHFailure) {
        guard let input = preludes[id]?.input else { return }
        while preludes[id]?.isReading == false { try await progress() }
        try await send(input, to: id)
        while preludes[id]?.acceptsInput == false { try await progress() }
    }

    /// Fails if the prelude has not run within its timeout.
    func watchPrelude(of id: ChannelID) async throws(VTError) {
        try await LoopClock(executor).pause(for: Self.preludeTimeout)
        guard let prelude = preludes[id], !prelude.isDone else { return }
        throw preludeFailure("did not start within \(Self.preludeTimeout.shortText)")
    }

    /// Fails if the program ended without running its prelude.
    func finishPrelude(on id: ChannelID, output: any ByteSink) async throws(SSHFailure) {
        guard var prelude = preludes[id], !prelude.isDone else { return }
        try await deliver(prelude.output.rest(), to: output)
        throw .stopped(preludeFailure("ended before it started"))
    }

    private func preludeFailure(_ what: String) -> VTError {
        VTError(
            .protocolViolation,
            "the command on '\(name)' \(what): the server might run another command (ForceCommand in sshd_config(5))",
            hint: "omit variables, and keep the command below \(lineLimitBytes) bytes, so that vt does not send them "
                + "over standard input"
        )
    }
}
