import Core

/// The encoding of the values in frames that a command sends to the mux server.
extension [UInt8] {
    mutating func appendHello(_ hello: MuxHello) {
        appendString(hello.key)
        appendString(hello.secretsDigest)
        appendDuration(hello.connectTimeout)
        appendDuration(hello.idleTimeout)
        appendUInt32(hello.promptLimit)
        appendList(hello.environment) { $0.appendString($1.bytes) }
    }

    mutating func appendRequest(_ request: ExecRequest) {
        switch request.command {
        case .shellLine(let line):
            append(0)
            appendString(line.bytes)
        case .arguments(let words):
            append(1)
            appendList(words) { $0.appendString($1.bytes) }
        case .loginShell:
            append(2)
        case .subsystem(let name):
            append(3)
            appendString(name.bytes)
        }
        appendOptional(request.directory) { $0.appendText($1) }
        for variables in [request.environment, request.offeredEnvironment] {
            appendList(variables) { $0.appendText("\($1.name)=\($1.value)") }
        }
        appendOptional(request.shell) { $0.appendText($1) }
        appendOptional(request.terminal) {
            $0.appendText($1.type)
            $0.appendSize($1.size)
        }
        appendOptional(request.announcement) { $0.appendText($1) }
        appendBool(request.isKept)
    }

    mutating func appendSize(_ size: TerminalSize) {
        appendUInt32(UInt32(size.columns))
        appendUInt32(UInt32(size.rows))
    }
}

extension WireReader {
    mutating func hello() -> MuxHello? {
        guard let key = string(), let digest = string(), let connectTimeout = duration(), let idleTimeout = duration(),
            let promptLimit = uint32(), let environment = list({ $0.byteString() })
        else { return nil }
        return MuxHello(
            key: Array(key),
            secretsDigest: Array(digest),
            connectTimeout: connectTimeout,
            idleTimeout: idleTimeout,
            promptLimit: promptLimit,
            environment: environment
        )
    }

    mutating func secret() -> Secret?? {
        optional { reader in reader.string().flatMap { try? Secret(Array($0)) } }
    }

    mutating func request() -> ExecRequest? {
        let command: ExecRequest.Command
        switch byte() {
        case 0:
            guard let line = byteString() else { return nil }
            command = .shellLine(line)
        case 1:
            guard let words = list({ $0.byteString() }), !words.isEmpty else { return nil }
            command = .arguments(words)
        case 2:
            command = .loginShell
        case 3:
            guard let name = byteString() else { return nil }
            command = .subsystem(name)
        default: return nil
        }
        guard let directory = optional({ $0.text() }), let environment = variables(), let offered = variables(),
            let shell = optional({ $0.text() }), let terminal = optional({ $0.terminal() }),
            let announcement = optional({ $0.text() }), let isKept = bool()
        else { return nil }
        var request = ExecRequest(
            command,
            directory: directory,
            environment: environment,
            shell: shell,
            terminal: terminal
        )
        (request.offeredEnvironment, request.announcement, request.isKept) = (offered, announcement, isKept)
        return request
    }

    mutating func size() -> TerminalSize? {
        guard let columns = uint32(), let rows = uint32() else { return nil }
        return TerminalSize(columns: Int(columns), rows: Int(rows))
    }

    private mutating func variables() -> [EnvironmentVariable]? {
        list { reader in reader.text().flatMap { try? EnvironmentVariable($0) } }
    }

    private mutating func terminal() -> ExecRequest.Terminal? {
        guard let type = text(), let size = size() else { return nil }
        return ExecRequest.Terminal(type: type, size: size)
    }
}
