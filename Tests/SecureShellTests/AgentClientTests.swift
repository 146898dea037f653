import Core
import TestSupport
import Testing

@testable import SecureShell

@Suite struct AgentClientTests {
    private let key = AgentClient.Key(blob: [], comment: "key")

    private func client(of agent: UnhelpfulAgent) -> AgentClient {
        AgentClient(path: agent.socket, timeout: .milliseconds(200))
    }

    /// More data than the socket's buffer can hold.
    @Test func `an agent that does not read a request times out`() async throws {
        let agent = try await UnhelpfulAgent(.hang)
        let error = await #expect(throws: VTError.self) {
            try await client(of: agent).sign([UInt8](repeating: 0, count: 8 << 20), with: key, algorithm: "ssh-ed25519")
        }
        #expect(error?.code == .authDenied)
        #expect(error?.message == "the SSH agent at '\(agent.socket)' does not respond")
    }

    @Test(arguments: [UnhelpfulAgent.Answer.hang, .drip])
    func `an agent that does not complete its reply times out`(_ answer: UnhelpfulAgent.Answer) async throws {
        let agent = try await UnhelpfulAgent(answer)
        let error = await #expect(throws: VTError.self) { try await client(of: agent).keys() }
        #expect(error?.message == "the SSH agent at '\(agent.socket)' does not respond")
    }

    @Test func `a reply to a signature request must be completed once it has started`() async throws {
        let agent = try await UnhelpfulAgent(.drip)
        let error = await #expect(throws: VTError.self) {
            try await client(of: agent).sign([0], with: key, algorithm: "ssh-ed25519")
        }
        #expect(error?.message == "the SSH agent at '\(agent.socket)' does not respond")
    }
}
