import Foundation

/// JSON as canonical text, which can be compared.
package enum JSON {
    /// Returns the text of a value; the members of objects are sorted.
    package static func text(_ value: Any) -> String {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed]
        // A value that is no JSON is a text that no other has.
        guard let data = try? JSONSerialization.data(withJSONObject: value, options: options) else { return "\(value)" }
        return String(decoding: data, as: UTF8.self)
    }

    package static func value(_ bytes: some Sequence<UInt8>) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    }

    package static func object(_ bytes: some Sequence<UInt8>) throws -> [String: Any] {
        guard let object = try value(bytes) as? [String: Any] else {
            throw FixtureError("not a JSON object: \(String(decoding: Array(bytes), as: UTF8.self))")
        }
        return object
    }
}
