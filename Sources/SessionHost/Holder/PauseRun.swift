import Core
import System

/// The steps in which a session's shell is ended on purpose, and in which the next one gets its environment.
///
/// From `ending` on, the file `SessionFiles.paused` exists: if the holder is killed, the session is paused.
struct PauseRun {
    enum Step {
        /// The shell is not at its prompt; a command that it is running is ended only if the pause is forced.
        case waiting
        /// The shell has been asked for its environment.
        case saving
        /// The processes of the session are being ended.
        case ending(KillRun)
        /// There is no shell.
        case paused
        /// A new shell has been started, and has not shown a prompt.
        case starting
        /// The new shell has been asked to change its environment, or only for it.
        case restoring
    }

    var step: Step
    /// Whether a running command may be ended.
    var isForced = false
    /// When to stop waiting for the shell, in microseconds since boot.
    var deadline: Int64 = .max
    /// How many times something has been tried in this step.
    var attempts = 0
    /// How the shell ended; nil while it is running.
    var exit: ExitStatus?
    /// How the new shell was started, with the environment, umask and limits that it is to have; nil once they have been
    /// restored.
    var document: LaunchDocument?
    /// The clients that wait for the result.
    var clients: [HolderClient] = []

    /// The time of the next step, in microseconds since boot; `.max` if there is none.
    var nextStep: Int64 {
        if case .ending(let run) = step { run.nextStep } else { deadline }
    }

    /// Whether input is kept until a shell can read it: not if the new shell shows no prompt, and may ask for input.
    var holdsInput: Bool {
        if case .starting = step { deadline < .max } else { true }
    }

    /// How long a shell that has ended a command may take to show its prompt.
    static let readyLimit: Int64 = 2_000_000
    /// How long a shell at its prompt may take to save its environment.
    static let saveLimit: Int64 = 5_000_000
    /// How long a running command may take to end after ^C; then it is terminated, and after the same time killed.
    static let interruptLimit: Int64 = 1_500_000
    /// How long the processes of the session may take to end before they are killed, in milliseconds.
    static let graceMilliseconds: UInt32 = 3000
    /// How long clients wait for the first prompt of the new shell.
    static let promptLimit: Int64 = 10_000_000
    /// When to send the hook its key again.
    static let retryDelay: Int64 = 1_000_000
}
