import Core
import Runtime

/// Adds public keys to the authorized_keys files of servers, and verifies them by logging in.
package struct KeyDeployment: Sendable {
    private let connector: any Connector
    private let observer: ConnectionObserver

    private static let outputLimitBytes = 64 * 1024

    package init(_ world: World) {
        (connector, observer) = (world.makeConnector(), world.observer)
    }

    package enum Outcome: String, CaseIterable, JSONValue, Sendable {
        case added
        case present
        /// The file contains the key, in a line with options such as `command=`.
        case restricted
    }

    package struct Report: Sendable {
        /// The name of the server.
        package var server: String
        package var key: StoredKey
        package var outcome: Outcome
        /// The path of the file on the server.
        package var path: String
        /// Whether a login with only this key succeeded.
        package var isVerified: Bool
    }

    /// Adds a key to the server of `plan`, and then verifies it by connecting with `login`, whose only credential is
    /// the key; if `login` is nil, does not verify it.
    ///
    /// - Throws: `auth.denied` when the key was added, but the server does not accept it; `cannot-create`, `io` or
    ///   `busy` when the file cannot be changed, which is then unchanged; connection errors.
    package func deploy(
        _ key: StoredKey,
        to plan: ConnectionPlan,
        verifyingWith login: ConnectionPlan?
    ) async throws(VTError) -> Report {
        let host = try await connector.connect(plan, observer: observer)
        var report = try await withCleanup(host.close) { () async throws(VTError) in
            try await add(key, on: host, name: plan.name)
        }
        guard let login else { return report }
        do throws(VTError) {
            try await connector.connect(login, observer: observer).close()
        } catch {
            throw Self.unverified(error, report)
        }
        report.isVerified = true
        return report
    }

    /// Closes the connections to jump hosts; the deployment must not be used afterward.
    package func close() async {
        await connector.close()
    }

    private func add(
        _ key: StoredKey,
        on host: any RemoteHost,
        name: String
    ) async throws(VTError) -> Report {
        let output = BoundedSink(limitBytes: Self.outputLimitBytes)
        let errors = BoundedSink(limitBytes: Self.outputLimitBytes)
        let line = BytesSource(Array((key.publicKey.line + "\n").utf8))
        let streams = ProgramStreams(input: line, output: output, errorOutput: errors)
        let status = try await host.run(DeployScript.request, streams: streams).known(on: name)
        let result = output.text.split(separator: "\n").last { $0.hasPrefix(DeployScript.marker) }
        let words = result?.dropFirst(DeployScript.marker.utf8.count).split(separator: ":", maxSplits: 1) ?? []
        if status.isSuccess, words.count == 2, let outcome = Outcome(rawValue: String(words[0])) {
            return Report(server: name, key: key, outcome: outcome, path: String(words[1]), isVerified: false)
        }
        let causes = errors.text.split(separator: "\n").map(String.init)
        throw Self.failure(status, on: name, causes: causes)
    }

    // MARK: - Errors

    private static func failure(_ status: ExitStatus, on name: String, causes: [String]) -> VTError {
        guard case .exited(let code) = status, let failure = DeployScript.Failure(rawValue: code) else {
            return VTError(
                .system,
                "cannot run sh on '\(name)' to add the key",
                hint: "to see the reason, run: vt exec \(name) -- sh -c 'echo $HOME'",
                causes: causes
            )
        }
        return switch failure {
        case .incomplete:
            VTError(.io, "the key did not arrive on '\(name)'", causes: causes)
        case .noDirectory:
            VTError(
                .cannotCreate,
                "cannot create '~/.ssh' on '\(name)'",
                hint: "to see the reason, run: vt exec \(name) 'ls -ld ~ ~/.ssh'",
                causes: causes
            )
        case .unreadable:
            VTError(
                .io,
                "cannot read '~/.ssh/authorized_keys' on '\(name)'",
                hint: "to see the reason, run: vt exec \(name) 'ls -lL ~/.ssh/authorized_keys'",
                causes: causes
            )
        case .unwritable:
            VTError(
                .cannotCreate,
                "cannot write '~/.ssh/authorized_keys' on '\(name)'",
                hint: "to see the reason, run: vt exec \(name) 'ls -ld ~/.ssh; df -h ~/.ssh'",
                causes: causes
            )
        case .locked:
            VTError(
                .busy,
                "another 'vt key deploy' is changing '~/.ssh/authorized_keys' on '\(name)'",
                hint: "if it was killed, remove its lock: vt exec \(name) 'rmdir ~/.ssh/.vt-key-deploy.lock'",
                causes: causes
            )
        }
    }

    private static func unverified(_ error: VTError, _ report: Report) -> VTError {
        let place = "'\(report.path)' on '\(report.server)'"
        let done = "key '\(report.key.name)' \(report.outcome == .added ? "was added to" : "is in") \(place)"
        var failure = error
        failure.message = "\(done), but logging in with it failed"
        failure.causes = [error.message] + error.causes
        failure.isTransient = false
        guard error.code == .authDenied, !report.key.isEncrypted else { return failure }
        failure.hint =
            "the server might read a different file (AuthorizedKeysFile), disallow keys (PubkeyAuthentication), or "
            + "reject the file because other users can write to it, ~/.ssh or the home directory (StrictModes)"
        return failure
    }
}

extension KeyDeployment.Report: JSONDocument {
    package static let documentName = "deployed key"
    package static let documentSummary = "a key in the authorized_keys file of a server"

    package static let fields: JSONTable<Self> = [
        .field("profile", \.server, "profile or server"),
        .field("key", \.key.name, "name of the key"),
        .field("fingerprint", \.key.fingerprint, "SHA-256 fingerprint, as printed by `ssh-keygen -l`"),
        .field(
            "outcome",
            \.outcome,
            "`present`: the file already had the key; `restricted`: it had the key on a line with options, such as "
                + "`command=`"
        ),
        .field("path", \.path, "absolute path of the file on the server"),
        .field("verified", \.isVerified, "whether a login with only this key has succeeded"),
    ]
}
