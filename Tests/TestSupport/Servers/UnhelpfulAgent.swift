import Foundation

/// An SSH agent that does not respond as requested.
package final class UnhelpfulAgent: Sendable {
    package enum Answer: String, Sendable {
        case refuse
        /// A signature with an algorithm other than the requested one.
        case sha1
        /// Neither reads requests nor replies.
        case hang
        /// A reply of which one byte arrives every 10 ms.
        case drip
    }

    /// The value for SSH_AUTH_SOCK.
    package let socket: String

    private let scratch: ScratchDirectory
    private let agent: RunningProgram

    /// Starts an agent that lists the public keys in these files.
    package init(_ answer: Answer, publicKeys: [String] = []) async throws {
        scratch = try ScratchDirectory()
        let socket = scratch.path("agent")
        self.socket = socket
        let words = [TestTree.support("agent.py"), socket, answer.rawValue] + publicKeys
        agent = try ProgramCall(TestTree.python, words).start()
        guard await eventually({ FileManager.default.fileExists(atPath: socket) }) else {
            throw FixtureError("the agent did not start")
        }
    }
}
