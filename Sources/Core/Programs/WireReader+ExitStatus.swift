/// How a program ended: 0 and the exit code, or the name of the signal after 1 or, if it dumped core, 2.
extension WireReader {
    package mutating func exitStatus() -> ExitStatus? {
        guard let kind = byte() else { return nil }
        guard kind != 0 else { return uint32().map { .exited($0) } }
        return text().map { .signalled(SignalName($0), coreDumped: kind == 2) }
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
        }
    }
}
