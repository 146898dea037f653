import Core
import Testing

@Suite struct DestinationTests {
    @Test(arguments: [
        ("ssh://a%40b@h:27022", "a@b", "h", 27022), ("ssh://a%40b@[::1]/", "a@b", "::1", nil),
        ("ssh://%C3%A4@h", "ä", "h", nil), ("a%40b@h", "a%40b", "h", nil), ("a@b@h", "a@b", "h", nil),
    ])
    func `the user name of a URL is decoded`(text: String, user: String, host: String, port: UInt16?) throws {
        let destination = try Destination(parsing: text)
        #expect(destination == Destination(user: user, host: host, port: port))
        #expect(try Destination(parsing: destination.text) == destination)
    }

    @Test(arguments: ["ssh://a%4@h", "ssh://a%@h", "ssh://%2dx@h", "ssh://%00@h", "ssh://%ff@h", "ssh://a%0ab@h"])
    func `a malformed or dangerous user name is rejected`(text: String) {
        #expect(throws: VTError.self) { try Destination(parsing: text) }
    }
}
