import Core
import FoundationEssentials

/// Encodes values as JSON: the one place that determines the format of documents.
///
/// Types declare their keys in snake_case. Keys are sorted, so that documents can be compared.
enum JSONText {
    /// Encodes an indented document.
    static func document(_ value: some JSONValue) throws(VTError) -> [UInt8] {
        try encode(value, [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    }

    /// Encodes a value on one line.
    static func line(_ value: some JSONValue) throws(VTError) -> [UInt8] {
        try encode(value, [.sortedKeys, .withoutEscapingSlashes])
    }

    /// Decodes a value; nil if the bytes are not JSON of this type.
    static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) -> Value? {
        try? JSONDecoder().decode(type, from: Data(bytes))
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
            throw VTError(.internal, "cannot encode JSON", causes: ["\(error)"])
        }
    }

    /// Escapes the characters that are unsafe for terminals but that JSON allows unescaped: DEL, the C1 controls, and
    /// characters that reorder text.
    ///
    /// These characters can occur only within strings. None is above U+FFFF, so each needs only one escape sequence
    /// (RFC 8259 §7).
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
