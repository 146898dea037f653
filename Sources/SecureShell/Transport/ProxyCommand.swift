import Core
import Glibc
import NIOCore

/// A program whose standard input and output are a connection.
///
/// It runs in a process group of its own, which is sent TERM when the connection ends; its standard error is ours.
struct ProxyCommand: Sendable {
    let process: ChildProcess
    let channel: any Channel

    /// Starts `/bin/sh -c COMMAND` after filling in `%h`, `%n`, `%p`, `%r` and `%%` (ssh_config(5), TOKENS).
    ///
    /// - Throws: `config` for another token, `system` when the program cannot be started.
    static func start(
        _ template: String,
        for plan: ConnectionPlan,
        environment: [ByteString],
        on eventLoop: any EventLoop
    ) async throws(VTError) -> ProxyCommand {
        let line = try expand(template, for: plan)
        let (ours, theirs) = try DescriptorPair.sockets().release()
        let program = FileDescriptor(owning: theirs)
        let spawn = SpawnPlan(arguments: ["/bin/sh", "-c", ByteString("exec \(line)")], environment: environment)
        let process: ChildProcess
        do throws(VTError) {
            process = try ChildProcess.spawn(
                spawn,
                on: .descriptors(input: program.number, output: program.number, errorOutput: 2)
            )
        } catch {
            close(ours)
            throw error
        }
        let channel = try await ConnectedSocket.channel(owning: ours, on: eventLoop, name: plan.name)
        return ProxyCommand(process: process, channel: channel)
    }

    /// Ends the program, if it has not ended with its connection.
    func stop() {
        process.signal(SIGTERM)
    }

    private static func expand(_ template: String, for plan: ConnectionPlan) throws(VTError) -> String {
        var result = ""
        var rest = template[...]
        while let percent = rest.firstIndex(of: "%") {
            result += rest[..<percent]
            rest = rest[rest.index(after: percent)...]
            switch rest.popFirst() {
            case "h": result += plan.endpoint.host
            case "n": result += plan.name
            case "p": result += String(plan.endpoint.port)
            case "r": result += plan.user
            case "%": result += "%"
            case let other:
                throw VTError(
                    .config,
                    "the proxy command of '\(plan.name)' has the unknown token '%\(other.map(String.init) ?? "")'",
                    hint: "the tokens are %h %n %p %r %%"
                )
            }
        }
        return result + rest
    }
}
