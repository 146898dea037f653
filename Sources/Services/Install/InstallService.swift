import Core
import Runtime
import Storage
import System

/// Installs vt on a server: uploads it under a temporary name, verifies it there, and only then renames it.
package struct InstallService: Sendable {
    private let connector: any Connector
    private let clock: any Clock<Duration>
    private let observer: ConnectionObserver

    /// The path of the running program, which must be a static executable to be installed.
    private static let runningProgram = "/proc/self/exe"
    /// The timeout for removing an incomplete file after a failure.
    private static let removalTimeout = Duration.seconds(5)
    /// The maximum size of the program; larger than any vt binary.
    private static let fileLimitBytes = 256 << 20

    package init(_ world: World) {
        (connector, clock, observer) = (world.makeConnector(), world.clock, world.observer)
    }

    /// Installs a program, by default the running vt; `progress` is called with the number of bytes sent and the total.
    ///
    /// A relative `path` is relative to the remote home directory. With `force`, the program is uploaded even if the same
    /// file is already there.
    ///
    /// On failure, the existing file is unchanged, and the temporary file is removed if the server can still be
    /// reached.
    ///
    /// - Throws: `not-found` or `io` for a file that cannot be read; `data.invalid` for one that is not a program or is
    ///   for another type of machine, and for the running vt if it is not a static executable; `cannot-create` and
    ///   `io` for the server's files; `system` when the program does not run on the server; connection errors.
    package func install(
        _ file: String? = nil,
        as path: String,
        on plan: ConnectionPlan,
        force: Bool,
        progress: @escaping @Sendable (_ sent: Int, _ total: Int) -> Void
    ) async throws(VTError) -> InstallReport {
        let source = file ?? Self.runningProgram
        let (program, machine) = try read(source)
        let host = try await connector.connect(plan, observer: observer)
        return try await withCleanup {
            await host.close()
            await connector.close()
        } _: { () async throws(VTError) in
            let installation = Installation(
                name: plan.name,
                source: source,
                program: program,
                machine: machine,
                sha256: Digests.sha256(program).hexadecimal,
                host: host,
                clock: clock
            )
            return try await perform(installation, as: path, force: force, progress: progress)
        }
    }

    // MARK: - Local

    private func read(_ source: String) throws(VTError) -> (program: [UInt8], ELFImage.Machine) {
        guard let file = try OpenFile(reading: source) else { throw VTError(.notFound, "'\(source)' does not exist") }
        let bytes = try file.readToEnd(limit: Self.fileLimitBytes)
        guard let image = ELFImage(bytes) else {
            throw VTError(.dataInvalid, "'\(source)' is not a Linux program", hint: "specify one with --file")
        }
        guard source != Self.runningProgram || image.libraries.isEmpty else {
            throw VTError(
                .dataInvalid,
                "this vt requires libraries that the server may lack: \(image.libraries.joined(separator: " "))",
                hint: "run 'make portable', and specify the resulting binary with --file"
            )
        }
        return (bytes, image.machine)
    }

    // MARK: - Remote

    private func perform(
        _ installation: Installation,
        as path: String,
        force: Bool,
        progress: @escaping @Sendable (Int, Int) -> Void
    ) async throws(VTError) -> InstallReport {
        let place = try await installation.findPlace(path)
        if place.sha256 == installation.sha256, !force {
            return installation.report(.unchanged, at: place, version: try await installation.version(at: place))
        }
        let temporary = "\(FileContents.directory(of: place.path))/.vt-install-\(RandomIdentifier.make())"
        do throws(VTError) {
            try await installation.send(to: temporary, progress: progress)
            let version = try await installation.finish(temporary, at: place)
            return installation.report(place.isThere ? .replaced : .installed, at: place, version: version)
        } catch {
            await remove(temporary, of: installation)
            throw error
        }
    }

    /// Removes a temporary file, even if the task has been canceled.
    private func remove(_ path: String, of installation: Installation) async {
        let clock = clock
        let removal = Task.onCurrentExecutor {
            // The earlier failure is the one to report.
            try? await withTimeout(Self.removalTimeout, on: clock, throwing: .cancelled) { () async throws(VTError) in
                try await installation.remove(path)
            }
        }
        await removal.value
    }
}
