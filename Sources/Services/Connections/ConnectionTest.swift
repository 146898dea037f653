import Core
import HTTP
import Runtime
import Synchronization
import VibeTunnel

/// Connects to a server and reports the result of each step.
package struct ConnectionTest: Sendable {
    /// The steps of a connection, in order.
    package enum Step: String, CaseIterable, JSONValue, Sendable {
        case credentials, resolve, connect, identify
        case exchangeKeys = "exchange-keys"
        case trust, authenticate
        /// Determines whether vt is installed on the server.
        case vt
    }

    /// A step that was attempted.
    package struct Finding: Sendable {
        /// The server that the step belongs to: the target or a jump host.
        package var name: String
        package var step: Step
        package var isDone: Bool
        package var detail: String
    }

    /// The result of all steps.
    package struct Report: Sendable {
        package var findings: [Finding]
        /// Why the last step failed; nil if all steps succeeded.
        package var failure: VTError?
        /// The version of vt on the server; nil if vt is not installed or a step failed.
        package var remoteVersion: String?
    }

    private let connector: any Connector
    private let world: World

    /// How long the server may take to report the version of its vt.
    private static let versionTimeout = Duration.seconds(10)

    package init(_ world: World) {
        self.world = world
        connector = world.makeConnector()
    }

    /// Performs the steps in order until one fails, and closes the connection at the end.
    package func run(_ plan: ConnectionPlan) async -> Report {
        if case .vibeTunnel(let plan) = plan { return await run(plan) }
        let findings = Mutex<[Finding]>([])
        var report = Report(findings: [])
        do throws(VTError) {
            let host = try await connector.connect(plan) { name, step in
                findings.withLock { Self.add(step, of: name, to: &$0) }
            }
            report.findings = findings.withLock { $0 }
            do throws(VTError) {
                report.remoteVersion = try await version(on: host, named: plan.name)
                let detail = report.remoteVersion ?? "not installed"
                report.findings.append(Finding(name: plan.name, step: .vt, isDone: true, detail: detail))
            } catch {
                report.findings.append(Finding(name: plan.name, step: .vt, isDone: false, detail: error.message))
                report.failure = error
            }
            await host.close()
        } catch {
            report.findings = findings.withLock { $0 }
            report.findings.append(Self.failed(error, after: report.findings.last, of: plan))
            report.failure = error
        }
        await connector.close()
        return report
    }

    /// Asks a VibeTunnel server for its version and its sessions.
    private func run(_ plan: VibeTunnelPlan) async -> Report {
        let server = VibeTunnelServer(plan, in: world)
        var report = Report(findings: [])
        func add(_ step: Step, isDone: Bool = true, _ detail: String) {
            report.findings.append(Finding(name: plan.name, step: step, isDone: isDone, detail: detail))
        }
        do throws(VTError) {
            let version = try await server.version()
            add(.connect, plan.address.description)
            add(.identify, "VibeTunnel \(version ?? "of an unknown version")")
            let count = try await server.sessions().count
            add(.authenticate, count == 1 ? "1 session" : "\(count) sessions")
        } catch {
            let isConnected = !report.findings.isEmpty
            add(
                error.code == .hostUnresolved ? .resolve : isConnected ? .authenticate : .connect,
                isDone: false,
                error.message
            )
            report.failure = error
        }
        return report
    }

    /// Returns the version in the output of `vt version` on the server (`vt 1.2.3`); nil if vt is not installed, or if
    /// `vt` is an unrelated program.
    private func version(on host: any RemoteHost, named name: String) async throws(VTError) -> String? {
        let late = VTError(.timedOut, "timed out waiting for the version of vt on '\(name)'")
        let output = BoundedSink(limitBytes: 4096)
        _ = try await withTimeout(Self.versionTimeout, on: world.clock, throwing: late) { () async throws(VTError) in
            try await host.run(
                RemoteVTCommand.version,
                streams: ProgramStreams(
                    input: BytesSource(),
                    output: MarkedSink(output, from: name),
                    errorOutput: BoundedSink(limitBytes: 0)
                )
            )
        }
        let words = output.text.split(whereSeparator: \.isWhitespace)
        guard words.count == 2, words[0] == "vt", words[1].first?.isNumber == true else { return nil }
        return String(words[1])
    }

    // MARK: - Steps

    private static func add(_ step: ConnectionStep, of name: String, to findings: inout [Finding]) {
        func add(_ done: Step, _ detail: String) {
            findings.append(Finding(name: name, step: done, isDone: true, detail: detail))
        }
        switch step {
        case .resolved(let addresses): add(.resolve, addresses.joined(separator: " "))
        case .connected(let address): add(.connect, address ?? "through another program or server")
        case .identified(let banner): add(.identify, banner)
        case .keysExchanged(let agreed): add(.exchangeKeys, agreed.filter { !$0.isEmpty }.joined(separator: " "))
        case .trusted(let key, let verdict): add(.trust, "\(key.type) \(verdict.rawValue)")
        case .authenticated(let method): add(.authenticate, method)
        // The next attempt repeats the steps for this server.
        case .retrying: findings.removeAll { $0.name == name }
        // These are not steps of the test: a rejected variable concerns a command, and the other cases only carry
        // information.
        case .refused, .greeted, .printed, .shared: break
        }
    }

    /// The step that failed: the one that the error code identifies, or else the one after the last completed step.
    private static func failed(_ error: VTError, after last: Finding?, of plan: ConnectionPlan) -> Finding {
        // After authentication with a jump host, a failure is attributed to the target.
        let name = last?.step == .authenticate ? plan.name : last?.name ?? plan.name
        let step: Step =
            switch (error.code, last?.step) {
            case (.hostUnresolved, _): .resolve
            case (.hostKeyChanged, _), (.hostKeyUnknown, _), (.tlsUntrusted, _): .trust
            case (.hostUnreachable, nil), (_, .resolve), (_, .authenticate): .connect
            case (_, nil): .credentials
            case (_, .connect), (_, .credentials): .identify
            case (_, .identify), (_, .trust): .exchangeKeys
            case (_, .exchangeKeys), (_, .vt): .authenticate
            }
        return Finding(name: name, step: step, isDone: false, detail: error.message)
    }
}
