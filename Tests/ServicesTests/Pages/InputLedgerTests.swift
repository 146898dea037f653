import Core
@testable import Services
import Testing

struct InputLedgerTests {
    private let ledger = InputLedger()

    private static func accepted(_ sequence: UInt64) -> SessionFrame { .accepted(sequence: sequence, offset: 0) }

    @Test func `answers are sent once, in the order of the inputs`() async throws {
        #expect(ledger.adopt(by: 1) == 0)
        for sequence in 1...3 as ClosedRange<UInt64> { #expect(try await ledger.receive(sequence)) }
        ledger.answer(2, with: Self.accepted(2))
        #expect(ledger.takeAnswers(for: 1) == [])
        ledger.answer(1, with: Self.accepted(1))
        #expect(ledger.takeAnswers(for: 1) == [Self.accepted(1), Self.accepted(2)])
        #expect(ledger.takeAnswers(for: 1) == [])
        #expect(ledger.adopt(by: 2) == 2)
    }

    @Test func `an input that is sent again is not received twice`() async throws {
        #expect(try await ledger.receive(1))
        #expect(ledger.adopt(by: 2) == 0)
        #expect(try await !ledger.receive(1))
        ledger.answer(1, with: Self.accepted(1))
        #expect(ledger.takeAnswers(for: 1) == [])
        #expect(ledger.takeAnswers(for: 2) == [Self.accepted(1)])
        #expect(try await !ledger.receive(1))
    }

    @Test func `a connection that has been replaced does not get the answers back`() async throws {
        #expect(ledger.adopt(by: 2) == 0)
        #expect(ledger.adopt(by: 1) == 0)
        #expect(try await ledger.receive(1))
        ledger.answer(1, with: Self.accepted(1))
        #expect(ledger.takeAnswers(for: 1) == [])
        #expect(ledger.takeAnswers(for: 2) == [Self.accepted(1)])
    }

    @Test func `a missing input is an error`() async {
        await #expect(throws: VTError.self) { try await ledger.receive(2) }
    }

    @Test func `input waits while the page does not read the answers`() async throws {
        _ = ledger.adopt(by: 1)
        let last = UInt64(InputLedger.limit)
        for sequence in 1...last {
            #expect(try await ledger.receive(sequence))
            ledger.answer(sequence, with: Self.accepted(sequence))
        }
        let ledger = ledger
        let next = Task { try await ledger.receive(last + 1) }
        await Task.yield()
        #expect(ledger.adopt(by: 1) == 0)
        #expect(ledger.takeAnswers(for: 1).count == InputLedger.limit)
        #expect(try await next.value)
        ledger.answer(last + 1, with: Self.accepted(last + 1))
        #expect(ledger.takeAnswers(for: 1) == [Self.accepted(last + 1)])
    }
}
