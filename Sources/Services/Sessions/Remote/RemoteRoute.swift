import Core
import Runtime

/// Connects to sessions on a server: a separate connection for each channel, with `vt relay` at the other end.
package struct RemoteRoute: SessionRoute {
    private let remote: RemoteVT
    private let plan: ConnectionPlan

    package init(_ remote: RemoteVT, plan: ConnectionPlan) {
        self.remote = remote
        self.plan = plan
    }

    package var greetingTimeout: Duration? { plan.connectTimeout }

    package func name(of session: String) -> String { "\(plan.name):\(session)" }

    package func withChannel(
        to session: String,
        _ body: @escaping @Sendable (any SessionChannel) async throws(VTError) -> ExitStatus?
    ) async throws(VTError) -> ExitStatus? {
        let host = try await remote.connect(plan)
        let channel = RelayChannel()
        let result = await withTaskGroup(of: Result<ExitStatus?, VTError>?.self) { group in
            group.addTask {
                await relay(session, on: host, channel)
                return nil
            }
            group.addTask {
                do throws(VTError) {
                    return .success(try await body(channel))
                } catch {
                    return .failure(error)
                }
            }
            var result: Result<ExitStatus?, VTError>?
            while result == nil, let next = await group.next() { result = next }
            await channel.close()
            group.cancelAll()
            return result ?? .failure(.cancelled)
        }
        await host.close()
        return try result.get()
    }

    package func close() async {
        await remote.close()
    }

    /// Runs `vt relay`, and ends the channel when it exits, with its error if it fails.
    private func relay(_ session: String, on host: any RemoteHost, _ channel: RelayChannel) async {
        do throws(VTError) {
            let words: [ByteString] = ["relay", ByteString(session), "--json"]
            _ = try await remote.run(
                words,
                on: host,
                named: plan.name,
                input: channel.outgoing,
                output: channel.incoming
            )
            channel.end(nil)
        } catch {
            channel.end(error)
        }
    }
}

/// A channel over the standard input and output of a program.
final class RelayChannel: SessionChannel {
    /// The program's standard input.
    let outgoing = BytePipe()
    /// The program's standard output.
    let incoming = BytePipe()

    func read() async throws(VTError) -> [UInt8]? {
        try await incoming.read()
    }

    func write(_ bytes: [UInt8]) async throws(VTError) {
        try await outgoing.write(bytes)
    }

    func close() async {
        outgoing.end()
    }

    /// Ends both directions, once the program has ended.
    func end(_ failure: VTError?) {
        incoming.end(failure)
        outgoing.end(failure)
    }
}
