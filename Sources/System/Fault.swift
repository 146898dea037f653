#if DEBUG
    /// The points, between system calls, at which a test can make vt crash.
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
        // In the holder, when the session is frozen, paused or resumed.
        case freezeNoted = "freeze:noted"
        case freezeDone = "freeze:done"
        case thawNoted = "thaw:noted"
        case thawDone = "thaw:done"
        case pauseAsked = "pause:asked"
        case pauseSaved = "pause:saved"
        case pauseNoted = "pause:noted"
        case pauseEnded = "pause:ended"
        case pauseDone = "pause:done"
        case resumeBegun = "resume:begun"
        case resumeStarted = "resume:started"
        case resumeRestored = "resume:restored"
        case resumeDone = "resume:done"
        // In the holder, around the effect of a request with an ID.
        case requestBegun = "request:begun"
        case requestWritten = "request:written"
        // In 'vt queue flush', for each entry.
        case flushMarked = "flush:marked"
        case flushSent = "flush:sent"
        case flushNoted = "flush:noted"

        package static func point(_ fault: Fault) { FaultPoint.reach(fault.rawValue) }
    }
#else
    /// Release builds contain no fault points.
    package enum Fault {
        case createDirectory, createLock, createName, createHolder
        case holdBegun, holdReceived, holdOutput, holdEvents, holdSocket, holdTerminal
        case holdForked, holdNoted, holdProgram, holdRunning, holdAnswered
        case endReaped, endDrained, endNoted, endSynchronized, endRecorded, endUnlinked
        case freezeNoted, freezeDone, thawNoted, thawDone
        case pauseAsked, pauseSaved, pauseNoted, pauseEnded, pauseDone
        case resumeBegun, resumeStarted, resumeRestored, resumeDone
        case requestBegun, requestWritten, flushMarked, flushSent, flushNoted

        package static func point(_: Fault) {}
    }
#endif
