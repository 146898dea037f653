import Core
import FoundationEssentials

/// Codes values as JSON: the one place that decides how documents look.
///
/// Types declare their keys, in snake_case; they come out sorted, so that documents can be compared.
enum JSONText {
    /// Codes a document for people and programs, indented.
    static func document(_ value: some Encodable) throws(VTError) -> [UInt8] {
        try encode(value, [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    }

    /// Codes a value on one line.
    static func line(_ value: some Encodable) throws(VTError) -> [UInt8] {
        try encode(value, [.sortedKeys, .withoutEscapingSlashes])
    }

    private static func encode(
        _ value: some Encodable,
        _ formatting: JSONEncoder.OutputFormatting
    ) throws(VTError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        do {
            return escapingControls(Array(try encoder.encode(value)))
        } catch {
            throw VTError(.internal, "cannot write JSON", causes: ["\(error)"])
        }
    }

    /// Writes out, as JSON escapes, what a terminal would act on and JSON allows unescaped: DEL, the C1 controls, and
    /// what reorders text.
    ///
    /// All of it can only stand within strings. None lies beyond U+FFFF, so one escape each is enough (RFC 8259 §7).
    private static func escapingControls(_ json: [UInt8]) -> [UInt8] {
        guard json.contains(where: { $0 >= 0x7f }) else { return json }
        var result = ""
        for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
            if scalar.isUnsafeForTerminals, scalar.value >= 0x7f {
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return Array(result.utf8)
    }
}
