/// A server on loopback that sends a greeting, as SMTP servers do, and answers nothing.
package final class GreetingServer: Sendable {
    package let port: UInt16

    private let listener: Listener

    package init(_ greeting: [UInt8]) throws {
        listener = try Listener { client in
            guard client.send(greeting) else { return }
            while client.receive() != nil {}
        }
        port = listener.port
    }
}
