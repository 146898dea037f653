import Core
import Testing

@testable import SecureShell

struct MuxAnswersTests {
    @Test func `an error from the mux server keeps its facts`() {
        var error = VTError.cancelled
        error.message = "'web': \(error.message)"
        error.hint = "try again"
        error.causes = ["the connection was closed"]
        error.isTransient = true
        error.connectErrno = 111
        error.acceptedMethods = ["publickey"]
        error.keyFileHint = "make the file private"
        error.isSolvedByOpenSSH = true
        var bytes: [UInt8] = []
        bytes.appendError(error)
        var reader = WireReader(bytes[...])
        let read = reader.error()
        #expect(read == error)
        #expect(read?.isCancellation == true)
    }
}
