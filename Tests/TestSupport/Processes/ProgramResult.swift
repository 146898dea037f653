import Foundation

/// How a program ended.
package enum ProgramStatus: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)
}

/// The output and status of a program.
package struct ProgramResult: Sendable {
    package let status: ProgramStatus
    package let output: [UInt8]
    package let errors: [UInt8]
    package let duration: Duration

    /// Standard output as text.
    package var text: String { String(decoding: output, as: UTF8.self) }

    /// Standard error as text.
    package var errorText: String { String(decoding: errors, as: UTF8.self) }

    /// The exit status; nil if it was killed by a signal.
    package var exit: Int32? {
        if case .exited(let code) = status { code } else { nil }
    }

    /// Standard output, parsed as a JSON document.
    package func json() throws -> [String: any Sendable] {
        try Self.object(output)
    }

    /// Standard output, parsed as NDJSON: one object per line.
    package func jsonLines() throws -> [[String: any Sendable]] {
        try output.split(separator: UInt8(ascii: "\n")).map { try Self.object(Array($0)) }
    }

    /// The `error` object that `--json` prints as the last line of standard error.
    package func jsonError() throws -> [String: any Sendable] {
        let lines = errors.split(separator: UInt8(ascii: "\n"))
        guard let last = lines.last,
            let error = try Self.object(Array(last))["error"] as? [String: any Sendable]
        else { throw FixtureError("no error object on standard error: \(errorText)") }
        return error
    }

    private static func object(_ bytes: [UInt8]) throws -> [String: any Sendable] {
        let document = try? JSONSerialization.jsonObject(with: Data(bytes))
        guard let object = document as? [String: any Sendable] else {
            throw FixtureError("not a JSON object: \(String(decoding: bytes, as: UTF8.self))")
        }
        return object
    }
}
