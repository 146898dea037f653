/// 0 and the exit code; the name of the signal after 1 or, if it dumped core, 2; or 3 if that is not known.
extension ExitStatus: WireValue {
    package static func code(_ status: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        let (number, exitCode, signal): (UInt8?, UInt32?, String?) =
            switch status {
            case nil: (nil, nil, nil)
            case .exited(let code): (0, code, nil)
            case .signalled(let signal, let coreDumped): (coreDumped ? 2 : 1, nil, signal.text)
            case .unknown: (3, nil, nil)
            }
        let kind = try wire.code(number)
        switch kind {
        case 0: return .exited(try wire.code(exitCode))
        case 3: return .unknown
        default: return .signalled(SignalName(try wire.code(signal)), coreDumped: kind == 2)
        }
    }
}
