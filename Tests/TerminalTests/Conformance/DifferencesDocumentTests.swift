import Foundation
import TestSupport
import Testing

/// The list of differences in docs/terminal.md.
struct DifferencesDocumentTests {
    private static let reasons =
        XtermDifferences.Reason.allCases.map(\.rawValue) + VT100Differences.Reason.allCases.map(\.rawValue)

    private func rows() throws -> [[String]] {
        let path = "\(TestTree.root)/docs/terminal.md"
        let text = try String(decoding: Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        return text.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { row in
            row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test(arguments: reasons)
    func `lists every reason given by the tests`(_ reason: String) throws {
        #expect(try rows().contains { $0.last == reason })
    }

    @Test func `each row has a function, two behaviors and a reason`() throws {
        for row in try rows() { #expect(row.count == 4 && row.allSatisfy { !$0.isEmpty }, "\(row)") }
    }
}
