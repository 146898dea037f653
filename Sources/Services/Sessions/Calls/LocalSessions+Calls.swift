import Core

extension LocalSessions: SessionMachine {
    package func perform(_ call: SessionCall, _ receive: @escaping SessionReceiver) async throws(VTError) {
        try await call.verb.perform(on: call.session, of: self, CallAnswer(receive))
    }
}
