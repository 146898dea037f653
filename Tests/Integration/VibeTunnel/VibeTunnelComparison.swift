import Foundation
import TestSupport
import Testing

extension VibeTunnelFacts.Request {
    /// Sends the request with the credentials that it requires; the paths can contain names.
    func send(
        by client: VibeTunnelClient,
        _ names: [String: String],
        more field: String? = nil
    ) async throws -> RawAnswer {
        let own =
            switch credentials {
            case .right: client.fields
            case .wrong: [VibeTunnelClient.basic("no")]
            case nil: [String]()
            }
        let sender = VibeTunnelClient(client.port, own + (field.map { [$0] } ?? []))
        return try await sender.call(method, path(names), body)
    }

    func path(_ names: [String: String]) -> String {
        names.reduce(path) { $0.replacingOccurrences(of: $1.key, with: $1.value) }
    }

    /// Compares an answer, and adds the session that it has created to the names.
    func check(
        _ found: RawAnswer,
        _ status: Int,
        _ expected: String,
        _ names: inout [String: String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(found.status == status, "\(name)", sourceLocation: sourceLocation)
        if expected == VibeTunnelFacts.created {
            names["{id}"] = try found.object["sessionId"] as? String
            names["{first}"] = names["{first}"] ?? names["{id}"]
        }
        guard expected != #""{any}""# else { return }
        #expect(found.type == "application/json; charset=utf-8", "\(name)", sourceLocation: sourceLocation)
        try expect(json: found.body, is: expected, names, name, sourceLocation: sourceLocation)
    }
}

/// Expects a JSON value to be the expected one, in which names stand for values.
func expect(
    _ found: Any,
    is expected: Any,
    _ names: [String: String] = [:],
    _ comment: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let isExpected = matches(found, expected, names)
    #expect(isExpected, "\(comment) \(found) is not \(expected) with \(names)", sourceLocation: sourceLocation)
}

/// Expects JSON to be the expected text.
func expect(
    json found: some Sequence<UInt8>,
    is expected: String,
    _ names: [String: String] = [:],
    _ comment: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let (found, expected) = (try JSON.value(found), try JSON.value(expected.utf8))
    expect(found, is: expected, names, comment, sourceLocation: sourceLocation)
}

private func matches(_ found: Any, _ expected: Any, _ names: [String: String]) -> Bool {
    switch expected {
    case let expected as String where expected == "{any}": true
    case let expected as String where expected == "{time}": isTime(found)
    case let expected as String where expected == "{pid}": found is Int
    case let expected as String: found as? String == names[expected] ?? expected
    case let expected as [String: Any]:
        if let found = found as? [String: Any], found.count == expected.count {
            expected.allSatisfy { key, value in found[key].map { matches($0, value, names) } ?? false }
        } else {
            false
        }
    case let expected as [Any]:
        if let found = found as? [Any], found.count == expected.count {
            zip(found, expected).allSatisfy { matches($0, $1, names) }
        } else {
            false
        }
    default: JSON.text(found) == JSON.text(expected)
    }
}

private func isTime(_ value: Any) -> Bool {
    if let seconds = value as? Int { return abs(Double(seconds) - Date().timeIntervalSince1970) < 3600 }
    let pattern = #"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$"#
    return (value as? String)?.range(of: pattern, options: .regularExpression) != nil
}
