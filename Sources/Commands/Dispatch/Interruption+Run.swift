import Core

extension Interruption {
    /// Runs `work` and cancels it on the first signal; returns its result, and the signal if it arrived before the
    /// work ended.
    func run<Result: Sendable>(
        _ work: @escaping @Sendable () async throws(VTError) -> Result
    ) async -> (result: Swift.Result<Result, VTError>, signal: CInt?) {
        await withTaskGroup(of: Event<Result>.self) { group in
            group.addTask {
                .ended(await Swift.Result { () async throws(VTError) in try await work() })
            }
            let signals = signals
            group.addTask {
                for await signal in signals { return .signal(signal) }
                return .noSignal
            }
            var signal: CInt?
            for await event in group {
                switch event {
                case .ended(let result):
                    group.cancelAll()
                    return (result, signal)
                case .signal(let number):
                    signal = number
                    group.cancelAll()
                case .noSignal: continue
                }
            }
            return (.failure(.cancelled), signal)
        }
    }

    private enum Event<Result: Sendable>: Sendable {
        case ended(Swift.Result<Result, VTError>)
        case signal(CInt)
        case noSignal
    }
}
