import CGuardedSSH2
import CLibSSH2
import Core
import Runtime
import Synchronization
import System

/// An attempt at keyboard-interactive authentication (RFC 4256) in which libssh2 waits for the answers of the user.
///
/// libssh2 obtains the answers from a callback, which cannot return EAGAIN. Each call of the library therefore runs on
/// a thread of its own, which stops in the callback until there are answers. The thread and the caller alternate: the
/// caller waits while the thread runs, and the thread waits, in the callback, while the caller runs. The session and
/// its wire are thus never used by both, and the semaphores order their accesses to memory. libssh2 does not block,
/// because the wire never waits, so the caller waits only for a moment.
final class KeyboardConversation: Sendable {
    /// Questions that arrived together.
    struct Questions: Sendable {
        var name: String
        var instruction: String
        var prompts: [(text: String, echoes: Bool)]
    }

    /// Why the caller runs.
    enum Step: Sendable {
        case asked(Questions)
        /// The call has returned.
        case returned(Int)
    }

    private let toCaller = Semaphore()
    private let toThread = Semaphore()
    private let step = Mutex(Step.returned(0))
    private let answers = Mutex<[[UInt8]]>([])

    /// Starts a call of the library.
    ///
    /// - Throws: `system` when no thread can be created.
    func call(_ body: @escaping @Sendable () -> Int) throws(SSHFailure) -> Step {
        do throws(VTError) {
            try startThread { [self] in
                let result = body()
                step.withLock { $0 = .returned(result) }
                toCaller.signal()
            }
        } catch {
            throw .stopped(error)
        }
        toCaller.wait()
        return step.withLock { $0 }
    }

    /// Continues the call, which has asked, with the answers.
    func answer(_ texts: [[UInt8]]) -> Step {
        answers.withLock { $0 = texts }
        toThread.signal()
        toCaller.wait()
        return step.withLock { $0 }
    }

    /// Returns the answers to questions; called on the thread.
    fileprivate func answers(to questions: Questions) -> [[UInt8]] {
        step.withLock { $0 = .asked(questions) }
        toCaller.signal()
        toThread.wait()
        return answers.withLock { answers in
            defer { answers = [] }
            return answers
        }
    }
}

extension SessionHandle {
    /// Makes one call of a keyboard-interactive attempt in which the user answers.
    ///
    /// The corresponding C function is `libssh2_userauth_keyboard_interactive_ex`.
    func authenticateByKeyboard(
        user: String,
        in conversation: KeyboardConversation
    ) throws(SSHFailure) -> KeyboardConversation.Step {
        wire.conversation = conversation
        wire.memory.isAnsweringQuestions = true
        // See KeyboardConversation for why the thread may use the session.
        nonisolated(unsafe) let (raw, failed) = unsafe (raw, wire.memory.failed)
        return try conversation.call {
            Int(
                unsafe guarded_userauth_keyboard_interactive_ex(
                    failed,
                    raw,
                    user,
                    UInt32(user.utf8.count),
                    conversationCallback
                )
            )
        }
    }
}

private let conversationCallback:
    @convention(c) (
        UnsafePointer<CChar>?, CInt, UnsafePointer<CChar>?, CInt, CInt,
        UnsafePointer<LIBSSH2_USERAUTH_KBDINT_PROMPT>?, UnsafeMutablePointer<LIBSSH2_USERAUTH_KBDINT_RESPONSE>?,
        UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> Void = { name, nameLength, instruction, instructionLength, count, prompts, responses, context in
        guard let opaque = unsafe context?.pointee else { return }
        let wire = unsafe Unmanaged<Wire>.fromOpaque(opaque).takeUnretainedValue()
        guard let conversation = wire.conversation else { return }
        var questions = KeyboardConversation.Questions(
            name: unsafe text(name, Int(nameLength)),
            instruction: unsafe text(instruction, Int(instructionLength)),
            prompts: []
        )
        guard let prompts = unsafe prompts, let responses = unsafe responses else {
            _ = conversation.answers(to: questions)
            return
        }
        for index in 0..<Int(max(0, count)) {
            let prompt = unsafe prompts[index]
            questions.prompts.append(unsafe (text(prompt.text, Int(prompt.length)), prompt.echo != 0))
        }
        for (index, answer) in conversation.answers(to: questions).prefix(questions.prompts.count).enumerated() {
            // The session's memory is wiped when it is freed.
            guard let copy = unsafe wire.memory.allocate(answer.count) else { continue }
            unsafe copy.copyMemory(from: answer, byteCount: answer.count)
            unsafe responses[index].text = unsafe copy.assumingMemoryBound(to: CChar.self)
            unsafe responses[index].length = UInt32(answer.count)
        }
    }

/// Returns a text from the server that can be shown to the user.
private func text(_ start: UnsafeRawPointer?, _ count: Int) -> String {
    guard count > 0, let start = unsafe start else { return "" }
    return Prompt.cleaned(unsafe Array(UnsafeRawBufferPointer(start: start, count: count)))
}
