import Foundation
import TestSupport
import Testing

@Suite struct TranscriptTests {
    /// With `VT_RECORD=1`, the files are rewritten instead; review the changes with `git diff`.
    @Test(arguments: Transcript.all)
    func `vt prints the output recorded in the transcript`(_ transcript: Transcript) async throws {
        let played = try await transcript.played()
        if ProcessInfo.processInfo.environment["VT_RECORD"] == "1" { try transcript.record(played) }
        #expect(
            played == (try transcript.recorded()),
            "to accept: VT_RECORD=1 swift test --filter TranscriptTests"
        )
    }

    @Test func `finds the transcripts`() {
        #expect(!Transcript.all.isEmpty)
    }
}
