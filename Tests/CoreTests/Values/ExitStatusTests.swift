import Core
import Testing

struct ExitStatusTests {
    /// 29 is IO, which RFC 4254 does not name; 34 is the first real-time signal of glibc.
    @Test(arguments: [Int32(1), 9, 15, 29, 34, 64])
    func `a signal of any number is 128 and the number for a shell`(_ number: Int32) {
        let status = ExitStatus.signalled(SignalName(number: number), coreDumped: false)
        #expect(status.shellStatus == 128 + UInt8(number))
    }

    @Test(arguments: ["0", "65", "-1", "99999999999", "+9", "XYZ", ""])
    func `a signal that a peer made up has no number`(_ text: String) {
        #expect(ExitStatus.signalled(SignalName(text), coreDumped: false).shellStatus == 128)
    }
}
