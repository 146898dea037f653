#if DEBUG
    import System

    /// The points, while a snapshot is taken or a tree is rolled back, at which a test can make vt crash.
    package enum SnapshotFault: String, CaseIterable {
        case prepared = "snapshot:prepared"
        case listed = "snapshot:listed"
        case indexed = "snapshot:indexed"
        case written = "snapshot:written"
        case referenced = "snapshot:referenced"
        case recorded = "snapshot:recorded"
        case adopted = "snapshot:adopted"
        case planned = "rollback:planned"
        case staging = "rollback:staging"
        case staged = "rollback:staged"
        case removing = "rollback:removing"
        case removed = "rollback:removed"
        case replacing = "rollback:replacing"
        case replaced = "rollback:replaced"
        case changed = "rollback:changed"
        case verified = "rollback:verified"

        static func point(_ fault: SnapshotFault) { FaultPoint.reach(fault.rawValue) }
    }
#else
    /// Release builds contain no fault points.
    enum SnapshotFault {
        case prepared, listed, indexed, written, referenced, recorded, adopted
        case planned, staging, staged, removing, removed, replacing, replaced, changed, verified

        static func point(_: SnapshotFault) {}
    }
#endif
