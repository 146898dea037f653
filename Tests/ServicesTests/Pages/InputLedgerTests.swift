import Core
@testable import Services
import Testing

struct InputLedgerTests {
    private let ledger = InputLedger()

    private static func accepted(_ sequence: UInt64) -> SessionFrame { .accepted(sequence: sequence, offset: 0) }

    @Test func `answers are sent once, in the order of the inputs`() throws {
        #expect(ledger.adopt(by: 1) == 0)
        for sequence in 1...3 as ClosedRange<UInt64> { #expect(try ledger.receive(sequence)) }
        ledger.answer(2, with: Self.accepted(2))
        #expect(ledger.takeAnswers(for: 1) == [])
        ledger.answer(1, with: Self.accepted(1))
        #expect(ledger.takeAnswers(for: 1) == [Self.accepted(1), Self.accepted(2)])
        #expect(ledger.takeAnswers(for: 1) == [])
        #expect(ledger.adopt(by: 2) == 2)
    }

    @Test func `an input that is sent again is not received twice`() throws {
        #expect(try ledger.receive(1))
        #expect(ledger.adopt(by: 2) == 0)
        #expect(try !ledger.receive(1))
        ledger.answer(1, with: Self.accepted(1))
        #expect(ledger.takeAnswers(for: 1) == [])
        #expect(ledger.takeAnswers(for: 2) == [Self.accepted(1)])
        #expect(try !ledger.receive(1))
    }

    @Test func `a connection that has been replaced does not get the answers back`() throws {
        #expect(ledger.adopt(by: 2) == 0)
        #expect(ledger.adopt(by: 1) == 0)
        #expect(try ledger.receive(1))
        ledger.answer(1, with: Self.accepted(1))
        #expect(ledger.takeAnswers(for: 1) == [])
        #expect(ledger.takeAnswers(for: 2) == [Self.accepted(1)])
    }

    @Test func `a missing input is an error`() {
        #expect(throws: VTError.self) { try ledger.receive(2) }
    }
}
