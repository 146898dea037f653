import Core
import Glibc
import System

/// Finds out whether the program in the foreground of a terminal is waiting for input.
struct TerminalReader {
    /// The device number of the terminal.
    private let device: dev_t

    /// Whether there is input that has not been read; an unfinished line in canonical mode does not count.
    static func hasInput(on master: CInt) -> Bool {
        guard let slave = try? TerminalControl.openSlave(of: master) else { return false }
        return hasInput(slave)
    }

    private static func hasInput(_ slave: borrowing FileDescriptor) -> Bool {
        var request = pollfd(fd: slave.number, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&request, 1, 0) != 0
    }

    /// Whether a process in the foreground is waiting for input of the terminal, and there is none.
    static func isWaiting(on master: CInt, in processes: SessionProcesses) -> Bool {
        guard let slave = try? TerminalControl.openSlave(of: master), !hasInput(slave) else { return false }
        var status = stat()
        guard unsafe fstat(slave.number, &status) == 0 else { return false }
        let reader = Self(device: status.st_rdev)
        let group = tcgetpgrp(master)
        // Usually a single process.
        if let leader = ProcessEntry(group), reader.isAwaited(by: leader) { return true }
        return processes.living().contains { $0.group == group && reader.isAwaited(by: $0) }
    }

    private func isAwaited(by process: ProcessEntry) -> Bool {
        guard !process.isBusy else { return false }
        return ProcessEntry.threads(of: process.processID).contains { thread in
            // A process of another user does not show what it is waiting for; a thread that has just ended waits for
            // nothing.
            guard let call = WaitingCall(of: thread) else {
                return !process.isBusy && (unsafe access(thread, F_OK)) == 0
            }
            return call.descriptors.contains { isTerminal("/proc/\(process.processID)/fd/\($0)") }
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

/// The system call in which a thread is waiting for input (proc_pid_syscall(5)).
private struct WaitingCall {
    /// The descriptors for whose input it is waiting.
    let descriptors: [Int]

    /// The maximum number of descriptors to examine; select(2) supports 1024.
    private static let limit: UInt64 = 1024

    /// `thread` is the thread's directory in /proc; returns nil if that cannot be read.
    init?(of thread: String) {
        guard let words = FileContents.smallLines("\(thread)/syscall").first?.parts(at: " ") else { return nil }
        // A thread that is not waiting has no call.
        guard words.count > 3, let number = Int(words[0]) else {
            descriptors = []
            return
        }
        let arguments = words[1...3].map { UInt64($0.dropFirst(2), radix: 16) ?? 0 }
        descriptors =
            switch Self.kinds[number] {
            case .read: [Int(truncatingIfNeeded: arguments[0])]
            case .poll: Self.polled(thread, at: arguments[0], count: arguments[1])
            case .select: Self.selected(thread, at: arguments[1], count: arguments[0])
            case .epoll: Self.registered(thread, Int(truncatingIfNeeded: arguments[0]))
            case nil: []
            }
    }

    private enum Kind {
        case read, poll, select, epoll
    }

    /// The numbers of the calls, from Linux's tables of system calls.
    #if arch(x86_64)
        private static let kinds: [Int: Kind] = [
            0: .read, 19: .read, 7: .poll, 271: .poll, 23: .select, 270: .select, 232: .epoll, 281: .epoll, 441: .epoll,
        ]
    #else
        private static let kinds: [Int: Kind] = [
            63: .read, 65: .read, 73: .poll, 72: .select, 22: .epoll, 441: .epoll,
        ]
    #endif

    /// The descriptors in an array of `pollfd` that are polled for input.
    private static func polled(_ thread: String, at address: UInt64, count: UInt64) -> [Int] {
        let bytes = memory(of: thread, at: address, count: min(count, limit) * 8)
        return stride(from: 0, to: bytes.count - 7, by: 8).compactMap { start in
            let descriptor = bytes[start..<start + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            return bytes[start + 4] & UInt8(POLLIN) == 0 ? nil : Int(Int32(bitPattern: descriptor))
        }
    }

    /// The descriptors in an `fd_set`.
    private static func selected(_ thread: String, at address: UInt64, count: UInt64) -> [Int] {
        let bytes = memory(of: thread, at: address, count: (min(count, limit) + 7) / 8)
        return (0..<bytes.count * 8).filter { bytes[$0 / 8] & 1 << ($0 % 8) != 0 }
    }

    /// The descriptors that are registered with an epoll descriptor, from lines `tfd: NUMBER …` (proc_pid_fdinfo(5)).
    private static func registered(_ thread: String, _ descriptor: Int) -> [Int] {
        FileContents.smallLines("\(thread)/fdinfo/\(descriptor)").compactMap { line in
            let words = line.split(separator: " ")
            return words.first == "tfd:" && words.count > 1 ? Int(words[1]) : nil
        }
    }

    /// Reads the memory of another process; returns what can be read.
    private static func memory(of thread: String, at address: UInt64, count: UInt64) -> [UInt8] {
        guard address != 0, let offset = off_t(exactly: address) else { return [] }
        let descriptor = unsafe open("\(thread)/mem", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, filled in
            filled = max(0, unsafe pread(descriptor, buffer.baseAddress, Int(count), offset))
        }
    }
}
