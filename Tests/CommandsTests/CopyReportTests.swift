@testable import Commands
import Testing

/// The progress line of `vt copy`.
@Suite struct CopyReportTests {
    @Test func `the line shows the time left once all files are found`() {
        #expect(CopyReport.line(files: 1, bytes: 0, of: nil, after: .zero) == "1 file, 0.0 MiB, 0.0 MiB/s")
        let half = CopyReport.line(files: 2, bytes: 5 << 20, of: 10 << 20, after: .seconds(2))
        #expect(half == "2 files, 5.0 of 10.0 MiB (50%), 2.5 MiB/s, 2s left")
        let done = CopyReport.line(files: 3, bytes: 10 << 20, of: 10 << 20, after: .seconds(2))
        #expect(done == "3 files, 10.0 of 10.0 MiB (100%), 5.0 MiB/s")
    }

    @Test func `an absurd size is harmless`() {
        let line = CopyReport.line(files: 0, bytes: 1, of: .max, after: .seconds(1))
        #expect(line == "0.0 of 17592186044416.0 MiB (0%), 0.0 MiB/s")
    }
}
