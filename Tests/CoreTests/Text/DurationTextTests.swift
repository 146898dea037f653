import Core
import Testing

struct DurationTextTests {
    @Test(
        arguments: [
            ("250ms", 250), ("30s", 30_000), ("5m", 300_000), ("2h", 7_200_000), ("7d", 604_800_000), ("0s", 0),
            ("5", 5000), ("0.2", 200), (".5", 500), ("2.5s", 2500), ("1.5m", 90_000), ("1m30s", 90_000),
            ("1h0.5s", 3_600_500), ("1d2h3m4s5ms", 93_784_005), ("0.0001s", 1), ("36500d", 3_153_600_000_000),
            ("", nil), (".", nil), ("s", nil), ("1m30", nil), ("30s1m", nil), ("1m1m", nil), ("1.2.3s", nil),
            ("-5s", nil), ("5 s", nil), ("5w", nil), ("5S", nil), ("36501d", nil), ("99999999999999999999s", nil),
            ("0.00000000000000000001s", nil), ("1e3", nil), ("٣s", nil),
        ] as [(String, Int64?)]
    )
    func `parses a duration as sleep and timeout do`(text: String, milliseconds: Int64?) {
        let duration = try? Duration(parsing: text)
        #expect(duration == milliseconds.map { .milliseconds($0) })
    }
}
