#if DEBUG
    import System

    /// The points, between the system calls that start and end a session, at which a test can make vt crash.
    package enum Fault: String, CaseIterable {
        // In the creating process.
        case createDirectory = "create:directory"
        case createLock = "create:lock"
        case createName = "create:name"
        case createHolder = "create:holder"
        // In the holder, up to its reply.
        case holdBegun = "hold:begun"
        case holdReceived = "hold:received"
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

        static func point(_ fault: Fault) { FaultPoint.reach(fault.rawValue) }
    }
#else
    /// Release builds contain no fault points.
    enum Fault {
        case createDirectory, createLock, createName, createHolder
        case holdBegun, holdReceived, holdOutput, holdEvents, holdSocket, holdTerminal
        case holdForked, holdNoted, holdProgram, holdRunning, holdAnswered
        case endReaped, endDrained, endNoted, endSynchronized, endRecorded, endUnlinked

        static func point(_: Fault) {}
    }
#endif
