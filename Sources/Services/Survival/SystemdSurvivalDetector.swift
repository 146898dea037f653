import Core
import Glibc
import System

/// Uses systemd(1) to determine what happens to a session when its user logs out.
///
/// Sessions also end with the PID namespace in which they run.
///
/// A process started in a login session belongs to the scope of that session, which logind may stop at logout
/// (KillUserProcesses). The alternative is the user's service manager, but it stops after the last logout unless
/// lingering is enabled (loginctl(1)).
package struct SystemdSurvivalDetector: Sendable {
    private let root: String
    private let environment: Environment
    private let user: String
    private let userID: UInt32
    private let clock: any Clock<Duration>

    /// `root` is prepended to `/proc`, `/run` and `/var`; `environment` is used to find and run programs.
    package init(
        root: String = "",
        environment: Environment,
        user: String,
        userID: UInt32 = geteuid(),
        clock: any Clock<Duration>
    ) {
        self.root = root
        self.environment = environment
        self.user = user
        self.userID = userID
        self.clock = clock
    }

    /// Returns the mode and its reason; the mode is `uncertain` if survival cannot be determined.
    ///
    /// Takes up to about two seconds in a login session, and returns immediately outside one.
    package func detect() async -> Survival {
        if endsWithCommand {
            return Survival(
                .dies,
                reason: "this process is in a PID namespace that ends with the command that it was created for",
                hint: "create the namespace for a program that keeps running, such as an init(1)"
            )
        }
        guard let group = controlGroup else {
            return Survival(.unaffected, reason: "systemd is not running")
        }
        if let scope = group.loginScope { return await inLogin(String(scope)) }
        if group.isUnderUserManager { return underUserManager(group) }
        guard let service = group.service else {
            return Survival(.unaffected, reason: "this process is not part of a login session")
        }
        return Survival(
            .unaffected,
            reason: "this process belongs to '\(service)', not to a login session, and might end with that service"
        )
    }

    // MARK: - The cases

    private func inLogin(_ scope: String) async -> Survival {
        guard let isEnding = await LoginManager(environment: environment, clock: clock).endsProcesses(of: user) else {
            if lingers, let prefix = scopePrefix { return moved(prefix, "logind does not respond") }
            return Survival(
                .uncertain,
                reason: "cannot determine whether logind kills the processes of '\(scope)' on logout",
                hint: lingers ? nil : enableLinger
            )
        }
        guard isEnding else {
            return Survival(
                .loginScope,
                reason: "logind keeps the processes of '\(scope)' running after logout (KillUserProcesses=no)"
            )
        }
        guard lingers else {
            return Survival(
                .dies,
                reason: "logind kills the processes of '\(scope)' on logout (KillUserProcesses=yes)",
                hint: enableLinger
            )
        }
        guard let prefix = scopePrefix else {
            return Survival(
                .dies,
                reason: "lingering is enabled, but systemd-run(1) or the user's bus is not available"
            )
        }
        return moved(prefix, "logind kills the processes of '\(scope)' on logout (KillUserProcesses=yes)")
    }

    private func underUserManager(_ group: ControlGroup) -> Survival {
        guard lingers else {
            return Survival(
                .dies,
                reason: "the user's service manager, which runs this process, stops after the last logout",
                hint: enableLinger
            )
        }
        let reason = "lingering is enabled, so the service manager that runs this process keeps running"
        guard group.service != nil, let prefix = scopePrefix else { return Survival(.userScope, reason: reason) }
        return Survival(.userScope, reason: reason, launchPrefix: prefix)
    }

    private func moved(_ prefix: [ByteString], _ cause: String) -> Survival {
        Survival(
            .userScope,
            reason: "\(cause); lingering is enabled, so sessions run in a scope of the user's service manager",
            launchPrefix: prefix
        )
    }

    // MARK: - Facts

    /// The PID namespace of the machine (`PROC_PID_INIT_INO` in include/linux/proc_ns.h).
    private static let machineNamespace = "pid:[4026531836]"

    /// Whether process 1 of this process's PID namespace, with which all others end (pid_namespaces(7)), is part of the
    /// command that runs this process: an init or a server has another session, as have programs added to a container.
    private var endsWithCommand: Bool {
        guard let namespace = FileContents.link(at: root + "/proc/self/ns/pid") else { return false }
        return namespace != Self.machineNamespace && getsid(1) == getsid(0)
    }

    /// This process's control group; nil if systemd is not running.
    private var controlGroup: ControlGroup? {
        guard let text = contents("/proc/self/cgroup"), exists("/run/systemd/system") else { return nil }
        return ControlGroup(text)
    }

    private var lingers: Bool {
        exists("/var/lib/systemd/linger/\(user)")
    }

    private var enableLinger: String {
        "loginctl enable-linger \(user)"
    }

    /// The command prefix that runs a program in its own scope of the user's service manager; nil if the manager is not
    /// reachable.
    ///
    /// systemd-run(1) replaces itself with the program, which therefore stays a child of this process.
    private var scopePrefix: [ByteString]? {
        guard let program = ProgramPath.find("systemd-run", in: environment) else { return nil }
        // In a delegated scope, the holder can create the control group with which it freezes the session.
        let words = [program, "--user", "--scope", "--quiet", "--collect", "--property=Delegate=yes", "--"]
        let runtime = environment["XDG_RUNTIME_DIR"]
        let directory = runtime ?? "\(root)/run/user/\(userID)"
        guard environment["DBUS_SESSION_BUS_ADDRESS"] != nil || isThere("\(directory)/bus") else { return nil }
        let variables = runtime == nil ? ["env", "XDG_RUNTIME_DIR=\(directory)"] : []
        return (variables + words).map { ByteString($0) }
    }

    private func contents(_ path: String) -> String? {
        // An unreadable file is treated like a missing one.
        guard let bytes = try? FileContents.read(root + path) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func exists(_ path: String) -> Bool {
        isThere(root + path)
    }

    private func isThere(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0
    }
}
