import Core
import Testing

@Suite struct FileNameTests {
    @Test(arguments: [
        ("a.cast", "cast"), ("/x/a.B.GIF", "gif"), ("a", nil), (".hidden", nil), ("/x.y/a", nil), ("a.", nil),
        ("", nil),
        ("/dev/stdout", nil),
    ])
    func `the extension begins after the last dot`(path: String, ending: String?) {
        #expect(path.fileNameEnding == ending)
    }
}
