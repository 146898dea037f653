import Arguments
import Core
import Testing

/// Splits a line at spaces; `''` is an empty word.
func words(_ line: String) -> [ByteString] {
    line.split(separator: " ").map { $0 == "''" ? "" : ByteString($0) }
}

/// Parses a line that runs a command, and returns the call.
func call(_ line: String, _ tree: CommandTree = SampleTree.tree) throws -> Call {
    try call(words(line), tree)
}

func call(_ words: [ByteString], _ tree: CommandTree = SampleTree.tree) throws -> Call {
    guard case .run(let call) = Parser(tree).parse(words).request else {
        throw VTError(.internal, "not a command: \(words.map(\.repairedText))")
    }
    return call
}

/// Parses an invalid line, and returns the error.
func failure(_ line: String, _ tree: CommandTree = SampleTree.tree) throws -> VTError {
    try failure(words(line), tree)
}

func failure(_ words: [ByteString], _ tree: CommandTree = SampleTree.tree) throws -> VTError {
    guard case .reject(let error) = Parser(tree).parse(words).request else {
        throw VTError(.internal, "not rejected: \(words.map(\.repairedText))")
    }
    return error
}
