import Core

// The formats of the values in the frames of a shared connection.

extension MuxHello: WireValue {
    static func code(_ hello: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        Self(
            key: try wire.string(hello?.key),
            secretsDigest: try wire.string(hello?.secretsDigest),
            connectTimeout: try wire.code(hello?.connectTimeout),
            idleTimeout: try wire.code(hello?.idleTimeout),
            promptLimit: try wire.code(hello?.promptLimit),
            environment: try wire.code(hello?.environment)
        )
    }
}

extension Secret: WireValue {
    package static func code(_ secret: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        try wire.code(secret, as: { ByteString($0.bytes) }, { try? Secret($0.bytes) })
    }
}

extension ExecRequest: WireValue {
    package static func code(_ request: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        var coded = Self(try wire.code(request?.command), directory: try wire.optional(request?.directory))
        coded.environment = try wire.code(request?.environment)
        coded.offeredEnvironment = try wire.code(request?.offeredEnvironment)
        coded.shell = try wire.optional(request?.shell)
        coded.terminal = try wire.optional(request?.terminal)
        coded.announcement = try wire.optional(request?.announcement)
        coded.isKept = try wire.code(request?.isKept)
        return coded
    }
}

extension ExecRequest.Command: WireValue {
    package static func code(_ command: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        let (number, words): (UInt8?, [ByteString]) =
            switch command {
            case nil: (nil, [])
            case .shellLine(let line): (0, [line])
            case .arguments(let words): (1, words)
            case .loginShell: (2, [])
            case .subsystem(let name): (3, [name])
            }
        switch try wire.code(number) {
        case 0: return .shellLine(try wire.code(words.first))
        case 1:
            if let command {
                _ = try wire.code(words)
                return command
            }
            let words = try wire.code([ByteString]?.none)
            guard !words.isEmpty else { throw WireCoder.Malformed() }
            return .arguments(words)
        case 2: return .loginShell
        case 3: return .subsystem(try wire.code(words.first))
        default: throw WireCoder.Malformed()
        }
    }
}

extension EnvironmentVariable: WireValue {
    package static func code(_ variable: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        try wire.code(variable, as: { "\($0.name)=\($0.value)" }, { try? Self($0) })
    }
}

extension ExecRequest.Terminal: WireValue {
    package static func code(_ terminal: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        Self(type: try wire.code(terminal?.type), size: try wire.code(terminal?.size))
    }
}

extension TerminalSize: WireValue {
    package static func code(_ size: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        let columns = try wire.code(size.map { UInt32($0.columns) })
        let rows = try wire.code(size.map { UInt32($0.rows) })
        guard let size = Self(columns: Int(columns), rows: Int(rows)) else { throw WireCoder.Malformed() }
        return size
    }
}

extension Prompt: WireValue {
    package static func code(_ prompt: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        let lines = try wire.code(prompt?.lines)
        var coded = Self(try wire.code(prompt?.text), lines: lines)
        coded.echoes = try wire.code(prompt?.echoes)
        return coded
    }
}

extension SharedConnection: WireValue {
    package static func code(_ report: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        Self(
            name: try wire.code(report?.name),
            endpoint: try wire.code(report?.endpoint),
            user: try wire.code(report?.user),
            processID: try wire.code(report?.processID),
            uses: try wire.code(report?.uses),
            isClosing: try wire.code(report?.isClosing),
            openedAt: Timestamp(seconds: try wire.code(report?.openedAt.seconds)),
            idleTimeout: try wire.code(report?.idleTimeout),
            idle: try wire.code(report?.idle)
        )
    }
}

extension Endpoint: WireValue {
    package static func code(_ endpoint: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        Self(host: try wire.code(endpoint?.host), port: try wire.code(endpoint?.port))
    }
}

extension SecretKey.Purpose: WireValue {}

/// The number of the step, and its values.
extension ConnectionStep: WireValue {
    package static func code(_ step: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        guard let step else { return try read(&wire) }
        switch step {
        case .resolved(let addresses): try wire.write(0, addresses)
        case .connected(let address):
            _ = try wire.code(UInt8(1))
            _ = try wire.optional(address)
        case .identified(let banner): try wire.write(2, banner)
        case .keysExchanged(let algorithms): try wire.write(3, algorithms)
        case .trusted(let key, let verdict):
            try wire.write(4, key)
            _ = try wire.code(verdict)
        case .greeted(let banner): try wire.write(5, banner)
        case .authenticated(let method): try wire.write(6, method)
        case .retrying(let error): try wire.write(7, error)
        case .refused(let variable): try wire.write(8, variable)
        case .shared(let processID): try wire.write(9, processID)
        case .printed(let line): try wire.write(10, line)
        }
        return step
    }

    private static func read(_ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        switch try wire.code(UInt8?.none) {
        case 0: .resolved(addresses: try wire.code(nil))
        case 1: .connected(address: try wire.optional(nil))
        case 2: .identified(banner: try wire.code(nil))
        case 3: .keysExchanged(algorithms: try wire.code(nil))
        case 4: .trusted(try wire.code(nil), try wire.code(nil))
        case 5: .greeted(banner: try wire.code(nil))
        case 6: .authenticated(method: try wire.code(nil))
        case 7: .retrying(after: try wire.code(nil))
        case 8: .refused(variable: try wire.code(nil))
        case 9: .shared(processID: try wire.code(nil))
        case 10: .printed(line: try wire.code(nil))
        default: throw WireCoder.Malformed()
        }
    }
}

extension WireCoder {
    /// Writes the number of a case and its value.
    fileprivate mutating func write(_ number: UInt8, _ value: some WireValue) throws(Malformed) {
        _ = try code(number)
        _ = try code(value)
    }
}

extension HostKey: WireValue {
    package static func code(_ key: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        try wire.code(key, as: { ByteString($0.blob) }, { HostKey(blob: $0.bytes) })
    }
}

extension TrustVerdict: WireValue {}
