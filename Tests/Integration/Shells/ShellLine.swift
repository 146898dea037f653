import Foundation

/// A line for a shell, and what it must print and return.
struct ShellLine: Sendable {
    let text: [UInt8]
    private let output: Output
    let statuses: ClosedRange<Int32>

    private enum Output {
        case exact(String)
        /// A regular expression for all of the output, in which a period matches newlines, too.
        case matching(String)
    }

    /// A line with exactly this output.
    init(_ text: String, _ output: String, _ status: Int32 = 0) {
        self.init(bytes: Array(text.utf8), output, status)
    }

    init(bytes: [UInt8], _ output: String, _ status: Int32 = 0) {
        text = bytes
        self.output = .exact(output)
        statuses = status...status
    }

    /// A line with a message of the shell, whose words differ between versions.
    init(_ text: String, matching pattern: String, _ statuses: ClosedRange<Int32>) {
        self.text = Array(text.utf8)
        output = .matching(pattern)
        self.statuses = statuses
    }

    /// The beginning of the line, for messages and for patterns of configurations.
    var start: String { String(decoding: text.prefix(100), as: UTF8.self) }

    func accepts(_ output: String, _ status: Int32?) -> Bool {
        guard let status, statuses.contains(status) else { return false }
        return switch self.output {
        case .exact(let text): output == text
        case .matching(let pattern): output.range(of: "\\A(?s:\(pattern))\\z", options: .regularExpression) != nil
        }
    }

    /// What the line must do, for messages.
    var expectation: String {
        let status = statuses.count == 1 ? "\(statuses.lowerBound)" : "\(statuses)"
        return switch output {
        case .exact(let text): "\(text.suffix(200).debugDescription) and \(status)"
        case .matching(let pattern): "/\(pattern)/ and \(status)"
        }
    }
}
