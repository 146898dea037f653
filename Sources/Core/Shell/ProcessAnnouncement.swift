/// Finds the process that the shell of a command announces on standard output before the command starts.
///
/// The shell and its children are the processes of the command, which `StopScript` can end.
package struct ProcessAnnouncement: Sendable {
    /// The shell of a command.
    package struct Process: Hashable, Sendable {
        package var id: Int32
        /// When it was started, in ticks since the boot (proc(5), field 22 of /proc/PID/stat), which distinguishes it
        /// from a later process with the same ID and from processes in other PID namespaces; empty without /proc.
        package var startTime: String

        package init?(_ text: String) {
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 2, let id: Int32 = NumberText.whole(parts[0]),
                parts[1].isEmpty || (NumberText.whole(parts[1]) as UInt64?) != nil
            else { return nil }
            (self.id, startTime) = (id, String(parts[1]))
        }
    }

    private var beginning: AnnouncementFilter
    private var text = ""
    /// The number of bytes of output so far.
    private var countBytes = 0
    /// Nil until the announcement has been received.
    package private(set) var process: Process?

    /// More output than a login script prints; later output is passed on without a search.
    private static let limitBytes = 64 << 10
    private static let end = UInt8(ascii: ",")

    /// `nonce` is a word that cannot appear in the output by chance.
    package init(_ nonce: String) {
        beginning = AnnouncementFilter(["vt-process-\(nonce)-"])
    }

    /// Returns a command that announces the shell that runs it; the next command can follow immediately.
    ///
    /// It has the same meaning in every login shell, because sh announces its parent. The announcement is split in two,
    /// so that a shell that traces its commands does not print it as a whole.
    package static func command(_ nonce: String) -> ByteString {
        ByteString(
            #"sh -c '{ read -r l <"/proc/$PPID/stat";} 2>/dev/null;set -- ${l##*)};"#
                + #"printf %s%s-%s-%s, vt-pro cess-\#(nonce) "$PPID" "${20}"'; "#
        )
    }

    /// Returns the output without the announcement, and holds back bytes that might be a part of it.
    package mutating func split(_ output: [UInt8]) -> [UInt8] {
        guard process == nil, countBytes < Self.limitBytes else { return output }
        countBytes += output.count
        var (passed, rest) = beginning.split(output)
        guard beginning.isDone else { return countBytes < Self.limitBytes ? passed : passed + beginning.rest() }
        guard let position = rest.firstIndex(of: Self.end) else {
            text += String(decoding: rest, as: UTF8.self)
            return passed
        }
        process = Process(text + String(decoding: rest[..<position], as: UTF8.self))
        rest.removeSubrange(...position)
        return passed + rest
    }

    /// Returns the output that was held back; called at the end of the output.
    package mutating func rest() -> [UInt8] {
        beginning.rest()
    }
}
