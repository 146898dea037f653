import Core

/// The header of a recording.
///
/// The keys are documented in docs.asciinema.org/manual/asciicast/v1, v2 and v3. A known key whose value is `null`
/// counts as absent.
package struct RecordingHeader: Hashable, Sendable {
    /// The version of the format from which the header was read; writers use their own version.
    package var version: Version
    /// The size at the start.
    package var size: TerminalSize
    /// The start of the recording: seconds since 1970-01-01T00:00:00Z.
    package var timestamp: Int64?
    /// In seconds, as given in the header; players rely on the events instead, and edits that change times remove it.
    package var duration: Double?
    /// In seconds; players shorten longer pauses to this limit, without changing the times of events.
    package var idleTimeLimit: Double?
    package var command: String?
    package var title: String?
    /// Nil if there is no `env`.
    package var environment: [Variable]?
    package var theme: RecordingTheme?
    /// The type of the terminal: the value of `TERM`.
    package var terminalType: String?
    /// Name and version of the terminal: its reply to XTVERSION.
    package var terminalVersion: String?
    /// Members of the object `term` that are unknown to vt.
    package var terminalExtras: [ExtraMember] = []
    /// Members unknown to vt, in order.
    package var extras: [ExtraMember] = []

    package enum Version: Int, Sendable {
        case v1 = 1
        case v2 = 2
        case v3 = 3
    }

    /// A variable of the recorded program's environment; its value is nil if it is `null` in the header.
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

/// A header member unknown to vt, preserved as written.
package struct ExtraMember: Hashable, Sendable {
    /// The name, with its escapes decoded.
    package var name: String
    /// The name, colon and value as JSON, on one line.
    package var text: [UInt8]

    package init(name: String, text: [UInt8]) {
        self.name = name
        self.text = text
    }
}
