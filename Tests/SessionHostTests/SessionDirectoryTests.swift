import Core
import SessionHost
import Testing

@Suite struct SessionDirectoryTests {
    @Test func `each session has its own directory`() throws {
        let id = try #require(SessionID("0123456789ab"))
        #expect(SessionDirectory(path: "/s").files(of: id).socket == "/s/0123456789ab/sock")
    }
}
