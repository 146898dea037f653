/// The code, message and hint, which is empty if there is none, and then the other fields.
///
/// The order is frozen. Fields are added only at the end, and a reader ignores those that it does not know; holders of
/// early versions send only the first three.
extension VTError: WireValue {
    package static func code(_ error: VTError?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> VTError {
        // An unknown code, from a later version, becomes `protocol`. To earlier versions, `ended` is `negative`.
        let sent = error.map { $0.code == .ended ? .negative : $0.code }
        let code = VTError.Code(rawValue: try wire.code(sent?.rawValue)) ?? .protocolViolation
        var coded = VTError(code, try wire.code(error?.message))
        let hint = try wire.code(error.map { $0.hint ?? "" })
        coded.hint = hint.isEmpty ? nil : hint
        do throws(WireCoder.Malformed) {
            coded.causes = try wire.code(error?.causes)
            coded.isTransient = try wire.code(error?.isTransient)
            coded.isCancellation = try wire.code(error?.isCancellation)
            coded.startStatus = try wire.optional(error?.startStatus)
            coded.sessionEnd = try wire.optional(error?.sessionEnd)
            coded.connectErrno = try wire.optional(error?.connectErrno)
            coded.acceptedMethods = try wire.optional(error?.acceptedMethods)
            coded.keyFileHint = try wire.optional(error?.keyFileHint)
            coded.isSolvedByOpenSSH = try wire.code(error?.isSolvedByOpenSSH)
            coded.program = try wire.optional(error?.program?.rawValue).flatMap(ProgramState.init)
            if try wire.code(error.map { $0.code == .ended }) { coded.code = .ended }
        } catch {
            // The other side did not send the rest.
        }
        return coded
    }
}

extension VTError.SessionEnd: WireValue {
    package static func code(_ end: Self?, _ wire: inout WireCoder) throws(WireCoder.Malformed) -> Self {
        var coded = Self(try wire.code(end?.reason))
        coded.exitCode = try wire.optional(end?.exitCode)
        coded.signal = try wire.optional(end?.signal)
        coded.coreDumped = try wire.code(end?.coreDumped)
        return coded
    }
}

extension VTError.SessionEnd.Reason: WireValue {}
