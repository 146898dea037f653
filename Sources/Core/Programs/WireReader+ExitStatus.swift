/// How a program ended: 0 and the exit code; the name of the signal after 1 or, if it dumped core, 2; or 3 if that is not
/// known.
extension WireReader {
    package mutating func exitStatus() -> ExitStatus? {
        guard let kind = byte() else { return nil }
        switch kind {
        case 0: return uint32().map { .exited($0) }
        case 3: return .unknown
        default: return text().map { .signalled(SignalName($0), coreDumped: kind == 2) }
        }
    }
}

extension [UInt8] {
    package mutating func appendExitStatus(_ status: ExitStatus) {
        switch status {
        case .exited(let code):
            append(0)
            appendUInt32(code)
        case .signalled(let signal, let coreDumped):
            append(coreDumped ? 2 : 1)
            appendText(signal.text)
        case .unknown:
            append(3)
        }
    }
}
