import Core
import Runtime

/// The `--script` file: a shell script that is sent to the target over standard input.
struct ShellScript: Sendable {
    let path: String
    let arguments: [ByteString]

    /// The shells that support `-c` and command substitution.
    private static let shells: Set = ["sh", "ash", "bash", "dash", "ksh", "mksh", "zsh"]

    /// Returns the program that reads the script from its standard input and runs it.
    ///
    /// The shell reads the whole script before it runs the first command, because the commands would otherwise read
    /// from the same input. The first line of the script selects the shell, by default `sh`.
    ///
    /// - Throws: `not-found` and `io` when the file cannot be read; `usage` when it is not a shell script.
    func command() throws(VTError) -> ExecRequest.Command {
        let beginning = try InputFile(opening: path).read(limit: 256)
        let interpreter = try interpreter(in: beginning)
        let name = ByteString(path.split(separator: "/").last.map(String.init) ?? path)
        return .arguments(interpreter.map { ByteString($0) } + ["-c", "eval \"$(cat)\"", name] + arguments)
    }

    /// The words of the first line, such as `#!/bin/bash -e` or `#!/usr/bin/env bash`.
    private func interpreter(in beginning: [UInt8]) throws(VTError) -> [String] {
        guard beginning.starts(with: Array("#!".utf8)),
            let line = beginning.dropFirst(2).split(separator: UInt8(ascii: "\n"), maxSplits: 1).first
        else { return ["sh"] }
        var words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace).map(String.init)
        if words.first?.hasSuffix("/env") == true {
            words.removeFirst()
            if words.first == "-S" { words.removeFirst() }
        }
        guard let program = words.first?.split(separator: "/").last.map(String.init),
            Self.shells.contains(program)
        else {
            throw VTError(
                .usage,
                "'\(path)' is not a shell script",
                hint: words.isEmpty
                    ? nil
                    : "to run its interpreter with the script as input: "
                        + "--stdin \(ByteString(path).shellQuoted.repairedText) -- \(words.joined(separator: " ")) -"
            )
        }
        return words
    }
}
