import Testing

/// What only one file, or no file, may do.
struct RuleTests {
    struct Rule: Sendable {
        /// A part of every match, because regular expressions are slow.
        var word: String
        var pattern: String
        /// The files that may contain a match.
        var homes: Set<String> = []
    }

    /// A task without an executor, and a clock of the standard library, use threads of libdispatch, which traps if no
    /// descriptors are left; a blocked thread stops every task on it.
    @Test(arguments: [
        Rule(word: "Task", pattern: #"\bTask(\.detached|\.init)? *(\{|\((?!executorPreference:))"#),
        Rule(word: "Task<", pattern: #"(^|[^> ]) *\bTask<[^>]*>(\.\w+)? *(\{|\((?!executorPreference:))"#),
        Rule(word: "Task.sleep", pattern: #"\bTask\.sleep\b"#),
        Rule(word: "Clock()", pattern: #"\b(Continuous|Suspending)Clock\(\)"#),
        Rule(word: "clock: .", pattern: #"\bclock: \.(continuous|suspending)\b"#),
        Rule(
            word: "sleep(",
            pattern: #"(^|[^.\w])sleep\((?!until)|(u|nano)sleep\("#,
            homes: ["System/Threads/ThreadPause"]
        ),
        Rule(word: "pthread_create", pattern: #"\bpthread_create\("#, homes: ["System/Threads/OwnThread"]),
    ])
    func `tasks and pauses start and block no thread`(_ rule: Rule) throws {
        try Self.check(rule)
    }

    /// An error whose message or hint has been completed on the way is no longer equal.
    @Test(arguments: [
        Rule(word: "=", pattern: #"\b([eE]rror|[fF]ailure)\)? *[!=]= *(VTError\b|\.[a-z])"#),
        Rule(word: "=", pattern: #"[!=]= *(\.\w+\()?(VTError)?\.cancelled\b"#),
        Rule(word: "case .", pattern: #"\bcase (\.\w+\()?(VTError)?\.cancelled\b"#),
        // A number from errno is compared as well.
        Rule(word: "=", pattern: #"\berror *[!=]= *(?!nil\b|0\b|errno\b)[a-z]|[!=]= *error\b(?!\.)"#),
        Rule(word: "=", pattern: #"[^.\w](late|silence) *[!=]= "#),
    ])
    func `an error is recognized by its code and facts, not by all of its value`(_ rule: Rule) throws {
        try Self.check(rule)
    }

    @Test(arguments: [
        Rule(
            word: "essage.",
            pattern: #"\b[mM]essage\.(contains|hasPrefix|hasSuffix|starts|firstRange|firstIndex|wholeMatch)\b"#,
            // Completes the message of a failed target by its name, if the message does not contain it; no error tells
            // what names its message contains.
            homes: ["Commands/Context+Outcomes"]
        ),
        Rule(
            word: "hasPrefix(\"vt: ",
            pattern: #"hasPrefix\("vt: "#
        ),
        Rule(word: "describing: ", pattern: #"\bdescribing: (error|failure)\b"#),
        Rule(word: "\\(error)\"", pattern: #"\\\(error\)" *[!=]=|[!=]= *"\\\(error\)"|"\\\(error\)"\."#),
    ])
    func `an error is not classified by its text`(_ rule: Rule) throws {
        try Self.check(rule)
    }

    private static let files = Result { try SourceFile.all(below: "Sources").map { ($0.path, $0.code) } }

    private static func check(_ rule: Rule) throws {
        let pattern = try Regex(rule.pattern)
        let homes = rule.homes.map { "Sources/\($0).swift" }
        for (path, code) in try files.get() {
            let lines = code.filter { $0.contains(rule.word) && $0.contains(pattern) }
                .filter { !$0.contains("func sleep(") }
            if homes.contains(path) {
                #expect(lines != [], "'\(path)' is no longer an exception")
            } else {
                #expect(lines == [], "\(path)")
            }
        }
    }
}
