import Core
import Glibc
import System

/// Finds out whether the program in the foreground of a terminal is waiting for input.
struct TerminalReader {
    /// The device number of the terminal.
    private let device: dev_t

    /// Whether a process in the foreground is waiting for input of the terminal, and there is none.
    static func isWaiting(on master: CInt, in processes: SessionProcesses) -> Bool {
        guard let slave = try? TerminalControl.openSlave(of: master) else { return false }
        var request = pollfd(fd: slave.number, events: Int16(POLLIN), revents: 0)
        var status = stat()
        guard unsafe poll(&request, 1, 0) == 0, unsafe fstat(slave.number, &status) == 0 else { return false }
        let reader = Self(device: status.st_rdev)
        let group = tcgetpgrp(master)
        // Usually a single process.
        if let leader = ProcessEntry(group), reader.isAwaited(by: leader) { return true }
        return processes.living().contains { $0.group == group && reader.isAwaited(by: $0) }
    }

    private func isAwaited(by process: ProcessEntry) -> Bool {
        guard !process.isBusy else { return false }
        let path = "/proc/\(process.processID)"
        let threads = (try? DirectoryListing.names(in: "\(path)/task")) ?? []
        return threads.contains { thread in
            let directory = "\(path)/task/\(thread)"
            // A process of another user does not show what it is waiting for; a thread that has just ended waits for
            // nothing.
            guard let call = WaitingCall(of: directory) else {
                return !process.isBusy && (unsafe access(directory, F_OK)) == 0
            }
            return call.descriptors.contains { isTerminal("\(path)/fd/\($0)") }
        }
    }

    /// Whether a descriptor of a process is the terminal, or `/dev/tty`.
    private func isTerminal(_ path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return false }
        return status.st_rdev == device || status.st_rdev == Self.controllingTerminal
    }

    /// The device number of `/dev/tty`: major 5, minor 0.
    private static let controllingTerminal: dev_t = 5 << 8
}
