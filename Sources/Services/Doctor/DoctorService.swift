import Core
import Glibc
import System

/// Reports the versions of vt and its libraries, and checks the saved profiles and this machine: vt's directories,
/// sockets, disk space, terminals, session survival and the SSH agent.
package struct DoctorService: Sendable {
    private let libraries: [(name: String, version: String)]
    private let profiles: any ProfileStore
    private let directories: StateDirectories
    private let environment: Environment
    private let survival: @Sendable () async -> Survival

    package init(_ world: World) throws(VTError) {
        libraries = try world.libraries()
        profiles = try world.profiles()
        directories = try world.directories()
        (environment, survival) = (world.environment, world.survival)
    }

    /// All findings; `version` is the version of the running vt.
    package func findings(version: String) async -> [Finding] {
        var findings = [Finding("vt", .ok, version)] + libraries.map { Finding($0.name, .ok, $0.version) }
        findings += [savedProfiles, Self.directory("configuration", at: directories.configuration)]
        if directories.state != directories.configuration {
            findings.append(Self.directory("state", at: directories.state))
        }
        findings.append(sockets)
        findings.append(Self.disk(directories.state))
        findings.append(terminals)
        findings.append(Self.finding(of: await survival()))
        if let runner { findings.append(runner) }
        findings.append(Self.agent(environment["SSH_AUTH_SOCK"]))
        return findings
    }

    /// The number of saved profiles, or why they cannot be read.
    private var savedProfiles: Finding {
        do throws(VTError) {
            return Finding("profiles", .ok, "\(try profiles.load().count)")
        } catch {
            return Finding("profiles", .fail, error.message, hint: error.hint)
        }
    }

    /// Whether session sockets can be used.
    ///
    /// Paths that exceed the limit of unix(7) require /proc (see `UnixSocket`).
    private var sockets: Finding {
        let path = SessionFiles(of: .random(), in: directories.sessions).socket
        let limit = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
        let count = path.utf8.count
        let text = "paths have \(count) bytes; the maximum is \(limit)"
        guard count > limit else { return Finding("sockets", .ok, text) }
        guard unsafe access("/proc/self/fd", X_OK) != 0 else {
            return Finding("sockets", .ok, "\(text) without /proc, which is mounted")
        }
        return Finding("sockets", .fail, text, hint: "mount /proc, or set VT_HOME or XDG_STATE_HOME to a shorter path")
    }

    /// Whether a pseudo-terminal can be opened for a session.
    private var terminals: Finding {
        do throws(VTError) {
            _ = try DescriptorPair.terminal(.standard)
            return Finding("terminals", .ok, "can be opened")
        } catch {
            return Finding(
                "terminals",
                .fail,
                error.message,
                hint: "check /proc/sys/kernel/pty/max, and whether /dev/pts is mounted"
            )
        }
    }

    private static func finding(of survival: Survival) -> Finding {
        Finding(
            "survival",
            survival.isCertain ? .ok : .warn,
            "\(survival.mode.rawValue): \(survival.reason)",
            hint: survival.hint
        )
    }

    /// At the end of a job, the GitHub runner kills all processes whose environment contains `RUNNER_TRACKING_ID`.
    private var runner: Finding? {
        guard environment["RUNNER_TRACKING_ID"] != nil else { return nil }
        return Finding(
            "runner",
            .ok,
            "the GitHub runner kills processes with RUNNER_TRACKING_ID after the job; "
                + "sessions do not inherit this variable"
        )
    }
}
