import Core

/// The failures of targets, of which those that say the same are reported together.
struct TargetFailures {
    /// Why a target failed.
    struct Failure {
        let name: String
        /// The class in the totals, such as `exit 1` or an error code.
        let kind: String
        let text: String
        let hint: String?

        init(_ name: String, kind: String, text: String, hint: String? = nil) {
            (self.name, self.kind, self.text, self.hint) = (name, kind, text, hint)
        }

        init(_ name: String, _ error: VTError, label: String? = nil) {
            let code = error.code.rawValue
            self.init(name, kind: code, text: "\(error.message) (\(label ?? code))", hint: error.hint)
        }
    }

    let failures: [Failure]

    /// The maximum number of targets that are reported one by one if their messages differ only in names.
    static let separateLimit = 10

    init(_ failures: [Failure]) {
        self.failures = failures
    }

    init(_ failures: [(name: String, error: VTError)]) {
        self.init(failures.map { Failure($0, $1) })
    }

    /// The number of failures of each class in parentheses, most frequent first; empty unless there are several classes.
    var totals: String {
        var counts: [(kind: String, count: Int)] = []
        for failure in failures {
            if let index = counts.firstIndex(where: { $0.kind == failure.kind }) {
                counts[index].count += 1
            } else {
                counts.append((failure.kind, 1))
            }
        }
        guard counts.count > 1 else { return "" }
        // The sort is stable.
        let sorted = counts.sorted { $0.count > $1.count }
        return " (\(sorted.map { "\($0.count) \($0.kind)" }.joined(separator: ", ")))"
    }

    /// Reports each failure once; a hint follows the last failure that has it.
    func report(on diagnostics: any Diagnostics) {
        let groups = Self.groups(failures) { MessagePattern($0.text) }.flatMap { group in
            group.count > Self.separateLimit ? [group] : Self.groups(group, by: \.text)
        }
        let hints = groups.map { $0.lazy.compactMap(\.hint).first }
        for (index, (group, hint)) in zip(groups, hints).enumerated() {
            let isLast = !hints.dropFirst(index + 1).contains(hint)
            diagnostics.failure(Self.message(of: group), hint: isLast ? hint : nil)
        }
    }

    private static func message(of group: [Failure]) -> String {
        let text = MessagePattern.common(to: group.map(\.text))
        let names = NameRanges.folded(group.map(\.name))
        return group.count > separateLimit ? "\(group.count) targets: \(text): \(names)" : "\(names): \(text)"
    }

    /// Divides the failures into groups with equal keys, in the order of their first members.
    private static func groups<Key: Hashable>(_ failures: [Failure], by key: (Failure) -> Key) -> [[Failure]] {
        var positions: [Key: Int] = [:]
        var groups: [[Failure]] = []
        for failure in failures {
            let key = key(failure)
            if let position = positions[key] {
                groups[position].append(failure)
            } else {
                positions[key] = groups.count
                groups.append([failure])
            }
        }
        return groups
    }
}
