/// The encoding of an error: its code, message and hint, which is empty if there is none, and then its other fields.
///
/// The order is frozen. Fields are added only at the end, and a reader ignores those that it does not know; holders of
/// early versions send only the first three.
extension [UInt8] {
    package mutating func appendError(_ error: VTError) {
        for text in [error.code.rawValue, error.message, error.hint ?? ""] { appendText(text) }
        appendList(error.causes) { $0.appendText($1) }
        appendBool(error.isTransient)
        appendBool(error.isCancellation)
        appendOptional(error.startStatus) { $0.appendUInt32($1) }
        appendOptional(error.sessionEnd) { $0.appendSessionEnd($1) }
        appendOptional(error.connectErrno) { $0.appendBigEndian($1) }
        appendOptional(error.acceptedMethods) { $0.appendList($1) { $0.appendText($1) } }
        appendOptional(error.keyFileHint) { $0.appendText($1) }
        appendBool(error.isSolvedByOpenSSH)
        appendOptional(error.program) { $0.appendText($1.rawValue) }
    }

    private mutating func appendSessionEnd(_ end: VTError.SessionEnd) {
        appendText(end.reason.rawValue)
        appendOptional(end.exitCode) { $0.appendUInt32($1) }
        appendOptional(end.signal) { $0.appendText($1) }
        appendBool(end.coreDumped)
    }
}

extension WireReader {
    /// An unknown code, from a later version, becomes `protocol`.
    package mutating func error() -> VTError? {
        guard let code = text(), let message = text(), let hint = text() else { return nil }
        var error = VTError(
            VTError.Code(rawValue: code) ?? .protocolViolation,
            message,
            hint: hint.isEmpty ? nil : hint
        )
        readDetails(of: &error)
        return error
    }

    private mutating func readDetails(of error: inout VTError) {
        guard let causes = list({ $0.text() }), let isTransient = bool(), let isCancellation = bool() else { return }
        (error.causes, error.isTransient, error.isCancellation) = (causes, isTransient, isCancellation)
        guard let startStatus = optional({ $0.uint32() }), let end = optional({ $0.sessionEnd() }) else { return }
        (error.startStatus, error.sessionEnd) = (startStatus, end)
        guard let number = optional({ $0.uint32() }), let methods = optional({ $0.list { $0.text() } }),
            let keyFileHint = optional({ $0.text() }), let isSolvedByOpenSSH = bool()
        else { return }
        error.connectErrno = number.map { Int32(bitPattern: $0) }
        (error.acceptedMethods, error.keyFileHint) = (methods, keyFileHint)
        error.isSolvedByOpenSSH = isSolvedByOpenSSH
        guard let program = optional({ $0.text() }) else { return }
        error.program = program.flatMap(VTError.ProgramState.init)
    }

    private mutating func sessionEnd() -> VTError.SessionEnd? {
        guard let reason = text().flatMap(VTError.SessionEnd.Reason.init), let code = optional({ $0.uint32() }),
            let signal = optional({ $0.text() }), let coreDumped = bool()
        else { return nil }
        var end = VTError.SessionEnd(reason)
        (end.exitCode, end.signal, end.coreDumped) = (code, signal, coreDumped)
        return end
    }
}
