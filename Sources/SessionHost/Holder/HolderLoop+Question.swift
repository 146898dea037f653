import Core

/// Asks the person at the session, and keeps the input of commands away meanwhile.
///
/// Input that an attached client has not requested to check is the person's, typed at a terminal or a page; all other
/// input is that of a command, whatever the version of the client.
extension HolderLoop {
    /// The clients that wait for an answer.
    struct Asking {
        var clients: [HolderClient] = []
        /// The one whose end withdraws the question; nil for a question that outlives it.
        var asker: HolderClient?
        /// When to close the question, in microseconds since boot.
        var deadline = Int64.max
    }

    func ask(_ request: QuestionRequest, for client: HolderClient) throws(VTError) {
        guard !client.isReadOnly else {
            throw VTError(.usage, "cannot ask or answer: the client is attached read-only")
        }
        guard acceptsRequests else { throw Self.endError }
        switch request.action {
        case .ask, .detach:
            guard isActive else { throw suspensionError }
            if let error = record.questionError { throw error }
            record.question = try Question(asking: request.message)
            if let timeout = request.timeout {
                // Any longer time might not fit into a number of microseconds.
                asking.deadline = HolderClock.now() + min(timeout, .seconds(1 << 40)).wholeMilliseconds * 1000
            }
            announceQuestion()
            guard request.action == .ask else { return client.answer(.done) }
            asking.asker = client
            asking.clients = [client]
        case .wait:
            guard let question = record.question else {
                throw VTError(.negative, "nothing has been asked in '\(record.name)'")
            }
            asking.clients.append(client)
            if question.answer != nil { releaseAskers() }
        case .done, .refuse:
            guard let open = record.openQuestion, request.message.isEmpty || request.message == open.message else {
                throw VTError(.negative, "the question in '\(record.name)' is no longer open")
            }
            closeQuestion(request.action == .done ? .done : .refused)
            client.answer(.done)
        }
    }

    func closeQuestion(_ answer: Question.Answer) {
        record.question?.answer = answer
        releaseAskers()
        announceQuestion()
        offerLine()
        if life.pausing == nil { typeLine() }
    }

    /// Informs the clients that wait how the question was closed.
    private func releaseAskers() {
        let failure = record.question?.failure(in: record.name)
        for client in asking.clients { client.answer(failure.map { .failure($0) } ?? .done) }
        asking = Asking()
    }

    /// Records the question before a client is informed, and shows it to those that are attached.
    private func announceQuestion() {
        saveRecord(isDurable: false)
        for client in clients.all where client.attachment != nil { client.answer(.record(currentRecord)) }
    }

    /// Closes a question whose time is over, or whose client has disconnected.
    func stepQuestion() {
        asking.clients.removeAll(where: \.isGone)
        if HolderClock.now() >= asking.deadline { closeQuestion(.timedOut) }
        if asking.asker?.isGone ?? false { closeQuestion(.withdrawn) }
    }

    /// - Throws: `busy` for input from a command while a question is open.
    func checkQuestion(for client: HolderClient, isTyped: Bool = false) throws(VTError) {
        let isAllowed = client.isForced || isTyped && client.attachment != nil
        guard !isAllowed, let error = record.questionError else { return }
        client.requestID = nil
        throw error
    }

    /// Whether a question does not keep the next line of a queue waiting.
    func mayRun(_ lines: LineQueue?) -> Bool {
        record.openQuestion == nil || lines?.waiting.first?.client?.isForced ?? false
    }
}
