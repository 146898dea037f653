import Core
import Testing

struct ExitStatusTests {
    /// 29 is SIGIO, which RFC 4254 does not list; 34 is glibc's first real-time signal.
    @Test(arguments: [Int32(1), 9, 15, 29, 34, 64])
    func `a shell reports any signal as 128 plus its number`(_ number: Int32) {
        let status = ExitStatus.signalled(SignalName(number: number), coreDumped: false)
        #expect(status.shellStatus == 128 + UInt8(number))
    }

    @Test(arguments: ["0", "65", "-1", "99999999999", "+9", "XYZ", ""])
    func `an unknown signal name has no number`(_ text: String) {
        #expect(ExitStatus.signalled(SignalName(text), coreDumped: false).shellStatus == 128)
    }

    @Test func `an unknown status is encoded, and a failure`() {
        #expect(ExitStatus.unknown.shellStatus == 255)
        #expect(!ExitStatus.unknown.isSuccess)
        for status in [ExitStatus.unknown, .exited(7), .signalled(SignalName("TERM"), coreDumped: true)] {
            #expect(ExitStatus(wireBytes: status.wireBytes[...]) == status)
        }
    }
}
