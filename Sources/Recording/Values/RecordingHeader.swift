import Core

/// What stands before the events of a recording.
///
/// The keys are those of docs.asciinema.org/manual/asciicast/v1, v2 and v3. A known key whose value is `null` counts as
/// absent.
package struct RecordingHeader: Hashable, Sendable {
    /// The version of the format it was read from; a writer writes its own.
    package var version: Version
    /// The size at the start.
    package var size: TerminalSize
    /// When the recording began: seconds since 1970-01-01T00:00:00Z.
    package var timestamp: Int64?
    /// In seconds, as the header tells; players go by the events, and whoever changes times leaves it out.
    package var duration: Double?
    /// In seconds; players shorten pauses to this, the times of the events are not changed.
    package var idleTimeLimit: Double?
    package var command: String?
    package var title: String?
    /// Nil where there is no `env`.
    package var environment: [Variable]?
    package var theme: RecordingTheme?
    /// The type of the terminal: what was in `TERM`.
    package var terminalType: String?
    /// Name and version of the terminal, its answer to XTVERSION.
    package var terminalVersion: String?
    /// Members of the object `term` that vt does not know.
    package var terminalExtras: [ExtraMember] = []
    /// Members that vt does not know, in their order.
    package var extras: [ExtraMember] = []

    package enum Version: Int, Sendable {
        case v1 = 1
        case v2 = 2
        case v3 = 3
    }

    /// A variable of the recorded program's environment; v1 allows one without a value.
    package struct Variable: Hashable, Sendable {
        package var name: String
        package var value: String?

        package init(name: String, value: String?) {
            self.name = name
            self.value = value
        }
    }

    package init(version: Version = .v3, size: TerminalSize) {
        self.version = version
        self.size = size
    }
}
