import Commands
import Core
import Foundation
import TestSupport
import Testing

@Suite struct CastInfoTests {
    @Test func `reports the duration of a recording`() async throws {
        let scratch = try ScratchDirectory()
        try scratch.write(
            """
            {"version":3,"term":{"cols":80,"rows":24}}
            [0.5,"o","hi"]
            [1.5,"x","3"]

            """,
            to: "demo.cast"
        )
        let fixture = RunFixture()
        #expect(await fixture.run("cast info \(scratch.path("demo.cast")) --json") == 0)
        let document = try #require(fixture.document() as? [String: Any])
        #expect(document["duration_ms"] as? Int == 2000)
    }

    @Test func `a malformed line is reported as invalid data`() async throws {
        let scratch = try ScratchDirectory()
        try scratch.write(#"{"version":3,"term":{"cols":80,"rows":24}}"# + "\nno event\n", to: "demo.cast")
        let fixture = RunFixture()
        #expect(
            await fixture.run("cast info \(scratch.path("demo.cast"))") == .status(VTError.Code.dataInvalid.status)
        )
        #expect(fixture.output.text == "")
    }
}
