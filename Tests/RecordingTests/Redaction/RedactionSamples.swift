import Core
import CoreTestSupport
import Recording
import Terminal
import TestSupport
import Testing

/// Recordings of output, and their redacted results.
enum RedactionSamples {
    /// Redacts a recording of the pieces of output, and returns the result for each piece.
    static func redacted(
        _ output: [String],
        patterns: [String] = [],
        knownShapes: Bool = true,
        columns: Int = 80,
        rows: Int = 24
    ) throws -> [String] {
        let bytes = CastSamples.cast(output.map { ("o", $0) }, columns: columns, rows: rows)
        return try redacted(bytes, patterns: patterns, knownShapes: knownShapes).map {
            String(decoding: $0.data, as: UTF8.self)
        }
    }

    static func redacted(
        _ bytes: [UInt8],
        patterns: [String] = [],
        knownShapes: Bool = true
    ) throws -> [RecordingEvent] {
        let scratch = try ScratchDirectory()
        let source = try RecordingFile(opening: scratch.write(bytes, to: "a.cast"), diagnostics: RecordedNotes())
        let plan = try RedactionPlan(patterns: patterns.map { try LinePattern($0) }, knownShapes: knownShapes)
        var result: [UInt8] = []
        _ = try RecordingRedactor(plan, RecordedNotes()).redact(source) { result += $0 }
        return try CastSamples.read(result).events
    }

    /// The final screen of a terminal, with wrapped rows joined.
    static func screen(_ output: [String], columns: Int = 80, rows: Int = 24, joined: Bool = true) throws -> [String] {
        var emulator = Emulator(size: try #require(TerminalSize(columns: columns, rows: rows)))
        for part in output { emulator.feed(Array(part.utf8)) }
        return TextRenderer.render(emulator.screen(), joined: joined).split(separator: "\n").map(String.init)
    }

    /// Generates text from a recipe of literal characters and classes such as `[a-f0-9]{32}`.
    ///
    /// The source code therefore contains no text that looks like a secret.
    static func value(_ recipe: String, seed: UInt64 = 1) -> String {
        var generator = SeededGenerator(seed: seed)
        var result = ""
        var rest = recipe[...]
        while let first = rest.first {
            guard first == "[", let close = rest.firstIndex(of: "]"), let end = rest.firstIndex(of: "}") else {
                result.append(first)
                rest = rest.dropFirst()
                continue
            }
            let characters = expanded(rest[rest.index(after: rest.startIndex)..<close])
            let count = Int(rest[rest.index(close, offsetBy: 2)..<end]) ?? 0
            for _ in 0..<count { result.append(characters.randomElement(using: &generator) ?? "?") }
            rest = rest[rest.index(after: end)...]
        }
        return result
    }

    private static func expanded(_ members: Substring) -> [Character] {
        var result: [Character] = []
        var bytes = Array(members.utf8)[...]
        while let first = bytes.popFirst() {
            guard bytes.count > 1, bytes.first == UInt8(ascii: "-"), let last = bytes.dropFirst().first else {
                result.append(Character(UnicodeScalar(first)))
                continue
            }
            result += (first...last).map { Character(UnicodeScalar($0)) }
            bytes = bytes.dropFirst(2)
        }
        return result
    }
}
