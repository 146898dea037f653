import Core
import Synchronization

/// Keeps notes until the end of a run on many targets, and then prints one line with a count for those that more than
/// `TargetFailures.separateLimit` targets have caused.
final class GroupedNotes: Diagnostics {
    private let diagnostics: any Diagnostics
    private let targets: Set<String>
    /// The notes so far; nil once they have been printed.
    private let notes = Mutex<[(pattern: String, message: String)]?>([])

    /// `targets` are the names with which notes can begin: `NAME: NOTE`.
    init(_ diagnostics: any Diagnostics, targets: [String]) {
        self.diagnostics = diagnostics
        self.targets = Set(targets)
    }

    func note(_ message: String) {
        let isKept = notes.withLock { $0?.append((pattern(of: message), message)) != nil }
        if !isKept { diagnostics.note(message) }
    }

    func failure(_ message: String) { diagnostics.failure(message) }

    func failure(_ message: String, hint: String?) { diagnostics.failure(message, hint: hint) }

    func detail(_ message: @autoclosure () -> String) { diagnostics.detail(message()) }

    func progress(_ message: String, failures: String?) { diagnostics.progress(message, failures: failures) }

    /// Prints the notes; later ones are printed immediately.
    func finish() {
        let notes = notes.withLock { $0.take() } ?? []
        var counts = Dictionary(notes.map { ($0.pattern, 1) }, uniquingKeysWith: +)
        for note in notes {
            guard let count = counts[note.pattern] else { continue }
            if count <= TargetFailures.separateLimit {
                diagnostics.note(note.message)
            } else {
                counts[note.pattern] = nil
                diagnostics.note("\(count) targets: \(note.pattern)")
            }
        }
    }

    /// What notes about different targets have in common.
    ///
    /// A note that begins with the name of its target can be about a file, whose name remains.
    private func pattern(of note: String) -> String {
        if let colon = note.firstIndex(of: ":"), targets.contains(String(note[..<colon])) {
            return String(note[colon...].dropFirst(2))
        }
        return MessagePattern(note).text
    }
}
