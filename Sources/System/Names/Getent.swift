import Core
import Glibc

/// The program getent(1), which looks up names with all services of nsswitch.conf(5).
///
/// vt itself uses only the services that are built into the C library. Other services are modules that must match the
/// library's version exactly, so a static executable cannot safely load the modules of the system it runs on.
package struct Getent: Sendable {
    /// Looked up in PATH.
    private let program: ByteString

    package init(program: ByteString = "getent") {
        self.program = program
    }

    /// The exit status if the database has no entry for the key.
    private static let notFound = ExitStatus.exited(2)
    /// The timeout for a blocking lookup.
    private static let blockingTimeout = Duration.seconds(10)

    /// The result of a lookup.
    package enum Answer: Sendable {
        /// What getent printed.
        case found([UInt8])
        case notFound
        /// getent is not installed, or does not know the database.
        case unavailable
    }

    /// Looks up a key; a canceled task kills getent.
    ///
    /// - Throws: `VTError.cancelled`; `system` when no process can be started.
    package func lookUp(_ database: String, _ key: String) async throws(VTError) -> Answer {
        let null = try FileDescriptor.open("/dev/null", O_WRONLY)
        let capture: ChildProcess.Capture
        do throws(VTError) {
            capture = try await ChildProcess.capture(plan(database, key), errorOutput: null.number)
        } catch {
            guard error.code == .notFound else { throw error }
            return .unavailable
        }
        switch capture.status {
        case .exited(0): return .found(capture.output)
        case Self.notFound: return .notFound
        default: return .unavailable
        }
    }

    /// Looks up a key and blocks until getent has printed the answer; nil if there is none within 10 s.
    func answer(_ database: String, _ key: String) -> [UInt8]? {
        // The reason for a failure does not matter, because the caller has no alternative.
        guard let null = try? FileDescriptor.open("/dev/null", O_RDWR), let pipe = try? DescriptorPair.pipe(),
            let child = try? ChildProcess.spawn(
                plan(database, key),
                on: .descriptors(input: null.number, output: pipe.second.number, errorOutput: null.number)
            )
        else { return nil }
        defer { child.dismiss(SIGKILL) }
        let reader = FileDescriptor(owning: pipe.releaseFirst())
        return try? BlockingIO.readToEnd(reader.number, deadline: .now + Self.blockingTimeout)
    }

    private func plan(_ database: String, _ key: String) -> SpawnPlan {
        SpawnPlan(
            arguments: [program, ByteString(database), "--", ByteString(key)],
            environment: Environment.process.words
        )
    }
}
