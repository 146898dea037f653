import Glibc

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
    // While a snapshot is taken, or a tree is rolled back.
    case snapshotPrepared = "snapshot:prepared"
    case snapshotListed = "snapshot:listed"
    case snapshotIndexed = "snapshot:indexed"
    case snapshotWritten = "snapshot:written"
    case snapshotReferenced = "snapshot:referenced"
    case snapshotRecorded = "snapshot:recorded"
    case snapshotAdopted = "snapshot:adopted"
    case rollbackPlanned = "rollback:planned"
    case rollbackStaging = "rollback:staging"
    case rollbackStaged = "rollback:staged"
    case rollbackRemoving = "rollback:removing"
    case rollbackRemoved = "rollback:removed"
    case rollbackReplacing = "rollback:replacing"
    case rollbackReplaced = "rollback:replaced"
    case rollbackChanged = "rollback:changed"
    case rollbackVerified = "rollback:verified"

    /// Exits without cleaning up if the environment variable `VT_FAULT` names this point; stops this process if the
    /// variable is `stop:` and the name.
    ///
    /// The release builds of users contain no fault points.
    package static func point(_ fault: Fault) {
        #if DEBUG || FAULTS
            guard let wanted = unsafe getenv("VT_FAULT") else { return }
            if unsafe strcmp(wanted, fault.rawValue) == 0 { _exit(99) }
            if unsafe strcmp(wanted, "stop:\(fault.rawValue)") == 0 { raise(SIGSTOP) }
        #endif
    }
}
