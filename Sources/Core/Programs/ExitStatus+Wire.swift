/// 0 and the exit code; the name of the signal after 1 or, if it dumped core, 2; or 3 if that is not known.
extension ExitStatus: WireChoice {
    package static let wireCases: [WireCase<Self>] = [
        WireCase(0, Self.exited) { if case .exited(let code) = $0 { code } else { nil } },
        WireCase(1, { (signal: SignalName) in .signalled(signal, coreDumped: false) }) {
            if case .signalled(let signal, false) = $0 { signal } else { nil }
        },
        WireCase(2, { (signal: SignalName) in .signalled(signal, coreDumped: true) }) {
            if case .signalled(let signal, true) = $0 { signal } else { nil }
        },
        WireCase(3, .unknown),
    ]
}

extension SignalName: WireValue {
    package static func code(_ name: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        try wire.code(name, as: \.text, { Self($0) })
    }
}
