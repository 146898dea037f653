#if DEBUG
    import Glibc

    /// Places between the system calls of the start and the end of a session, where a test can let vt crash.
    package enum Fault: String, CaseIterable {
        // In the process that makes the session.
        case createDirectory = "create:directory"
        case createLock = "create:lock"
        case createName = "create:name"
        case createHolder = "create:holder"
        // In the holder, up to the answer.
        case holdBegun = "hold:begun"
        case holdReceived = "hold:received"
        case holdRecorded = "hold:recorded"
        case holdOutput = "hold:output"
        case holdEvents = "hold:events"
        case holdSocket = "hold:socket"
        case holdTerminal = "hold:terminal"
        case holdForked = "hold:forked"
        case holdNoted = "hold:noted"
        case holdProgram = "hold:program"
        case holdRunning = "hold:running"
        case holdAnswered = "hold:answered"
        // In the holder, once the program has ended.
        case endReaped = "end:reaped"
        case endDrained = "end:drained"
        case endNoted = "end:noted"
        case endSynchronized = "end:synchronized"
        case endRecorded = "end:recorded"
        case endUnlinked = "end:unlinked"

        /// Ends the process without a word if the variable `VT_FAULT` names this place.
        static func point(_ fault: Fault) {
            guard let wanted = unsafe getenv("VT_FAULT") else { return }
            if unsafe strcmp(wanted, fault.rawValue) == 0 { _exit(99) }
        }
    }
#else
    /// There are no faults in what is shipped.
    enum Fault {
        case createDirectory, createLock, createName, createHolder
        case holdBegun, holdReceived, holdRecorded, holdOutput, holdEvents, holdSocket, holdTerminal
        case holdForked, holdNoted, holdProgram, holdRunning, holdAnswered
        case endReaped, endDrained, endNoted, endSynchronized, endRecorded, endUnlinked

        static func point(_: Fault) {}
    }
#endif
