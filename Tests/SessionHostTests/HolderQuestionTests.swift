import Core
import Foundation
import SessionHost
import TestSupport
import Testing

/// Questions to the person at a session, as clients of any version see them.
struct HolderQuestionTests {
    private let lab: HolderLab

    init() throws {
        lab = try HolderLab()
    }

    private func session() async throws -> (record: Session, asker: HolderClientConnection) {
        let record = try await lab.create("x", "stty -echo; echo ready; cat")
        #expect(try await lab.output(of: record, holds: "ready"))
        return (record, try await HolderClientConnection(lab.files(record)))
    }

    private func input(_ text: String, isChecked: Bool) -> SessionFrame {
        .input(sequence: 1, isChecked: isChecked, bytes: Array(text.utf8))
    }

    @Test func `typed input of an attached client is accepted, and all other input is refused`() async throws {
        let (record, asker) = try await session()
        let client = try await HolderClientConnection(lab.files(record))
        _ = try await client.attach(from: 0)
        try asker.send(.ask(QuestionRequest(.ask, "log in")))
        // The question is recorded before clients are informed.
        guard case .record(let session) = try await client.nextAnswer() else {
            Issue.record("the attached client is not informed")
            return
        }
        #expect(session.openQuestion?.message == "log in")
        #expect(try lab.host.session("x").openQuestion?.message == "log in")
        for isChecked in [true, false] {
            let other = try await HolderClientConnection(lab.files(record))
            try other.send(input("no\n", isChecked: isChecked))
            #expect(try await other.next().failureCode == .busy)
        }
        let piped = try await HolderClientConnection(lab.files(record))
        _ = try await piped.attach(from: 0, token: 2)
        try piped.send(input("no\n", isChecked: true))
        #expect(try await piped.nextAnswer().failureCode == nil)
        #expect(try await piped.nextAnswer().failureCode == .busy)
        let forced = try await HolderClientConnection(lab.files(record))
        try forced.send(.force)
        try forced.send(input("forced\n", isChecked: true))
        guard case .accepted = try await forced.next() else {
            Issue.record("forced input is refused")
            return
        }
        try client.send(input("typed\n", isChecked: false))
        guard case .accepted = try await client.nextAnswer() else {
            Issue.record("typed input is refused")
            return
        }
        #expect(try await lab.output(of: record, holds: "ready\r\nforced\r\ntyped\r\n"))
        try client.send(.ask(QuestionRequest(.done, "another question")))
        #expect(try await client.nextAnswer().failureCode == .negative)
        try client.send(.ask(QuestionRequest(.done, "log in")))
        #expect(try await asker.next() == .done)
        guard case .record(let answered) = try await client.nextAnswer() else {
            Issue.record("the attached client is not informed of the answer")
            return
        }
        #expect(answered.question?.answer == .done && answered.openQuestion == nil)
        #expect(try await client.nextAnswer() == .done)
    }

    @Test func `a client that only reads can neither ask nor answer`() async throws {
        let (record, asker) = try await session()
        try asker.send(.ask(QuestionRequest(.ask, "log in")))
        let reader = try await HolderClientConnection(lab.files(record))
        _ = try await reader.attach(from: 5, isReadOnly: true)
        guard case .record = try await reader.nextAnswer() else {
            Issue.record("a client that attaches is not informed")
            return
        }
        for action in QuestionRequest.Action.allCases {
            try reader.send(.ask(QuestionRequest(action, "log in")))
            #expect(try await reader.nextAnswer().failureCode == .usage)
        }
        try reader.send(.force)
        try reader.send(input("no\n", isChecked: false))
        #expect(try await reader.nextAnswer().failureCode == .usage)
        #expect(try lab.host.session("x").openQuestion != nil)
    }

    @Test func `messages are limited, and any timeout is possible`() async throws {
        let (record, client) = try await session()
        for message in ["", String(repeating: "a", count: 201), "e" + String(repeating: "\u{301}", count: 200)] {
            try client.send(.ask(QuestionRequest(.detach, message)))
            #expect(try await client.next().failureCode == .usage)
        }
        #expect(try lab.host.session("x").question == nil)
        for (timeout, isOpen) in [(Duration.milliseconds(Int64.max), true), (.zero, false)] {
            try client.send(.ask(QuestionRequest(.detach, "log in", timeout: timeout)))
            #expect(try await client.next() == .done)
            if isOpen { #expect(try lab.host.session("x").openQuestion != nil) }
            try client.send(.ask(QuestionRequest(isOpen ? .refuse : .wait)))
            let late = VTError(.timedOut, "the question in 'x' was not answered in time")
            #expect(try await client.next() == (isOpen ? .done : .failure(late)))
        }
        // A session of an earlier version has no question.
        #expect(try Session(json: record.json, source: "it").question == nil)
    }

    @Test func `the record of a question is read again`() async throws {
        var record = try await session().record
        record.question = try Question(asking: "log in\u{1B}")
        #expect(try Session(json: record.json, source: "it").question == record.question)
        record.question?.answer = .timedOut
        #expect(try Session(json: record.json, source: "it").question?.answer == .timedOut)
    }
}
