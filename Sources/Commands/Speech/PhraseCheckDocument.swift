import Core
import Speech

/// What `vt transcribe --check` has found, as JSON.
struct PhraseCheckDocument {
    let file: String
    let list: PhraseList

    var problems: [PhraseList.Problem] {
        (list.problems + list.grammarProblems).sorted { $0.line < $1.line }
    }
}

extension PhraseCheckDocument: JSONDocument {
    static let documentName = "phrase check"
    static let documentSummary = "the result of checking a list of phrases"

    static let fields: JSONTable<Self> = [
        .field("file", \.file, "path of the list"),
        .field("phrases", \.list.phrases.count, "number of phrases that can be used"),
        .field("problems", \.problems, "what to correct, in the order of the lines"),
    ]
}

extension PhraseList.Problem: JSONDocument {
    package static let documentName = "phrase problem"
    package static let documentSummary = "a problem in a list of phrases"

    package static let fields: JSONTable<Self> = [
        .field("line", \.line, "line number, starting at 1"),
        .field("message", \.message, "what is wrong"),
    ]
}
