import Arguments
import Core
import Services

/// The source or the destination of a copy.
enum CopySide: Sendable {
    /// Standard input or output.
    case stream
    case machine(FileOperand)
    /// Each of the selected targets.
    case targets(TargetOptions)

    /// - Throws: `usage` for `:PATH` without options that select targets, and for malformed words.
    init(_ operand: FileOperand, _ call: Call) throws(VTError) {
        guard operand != .standardStream else {
            self = .stream
            return
        }
        switch operand.target {
        case "":
            guard TargetOptions.replacements.contains(where: call.contains) else {
                throw VTError(
                    .usage,
                    "':\(operand.path.repairedText)' requires --tag, --all or --targets-file",
                    hint: "add one of these options, or use PROFILE:PATH"
                )
            }
            self = .targets(try .ofProfiles(call, words: []))
        case let target?:
            let words = try TargetOptions.words([target])
            if words.count == 1, case .target = words[0] {
                self = .machine(operand)
            } else {
                self = .targets(try .ofProfiles(call, words: [target]))
            }
        case nil: self = .machine(operand)
        }
    }
}
