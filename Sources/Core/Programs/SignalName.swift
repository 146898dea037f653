import Glibc

/// A signal name without `SIG`, as in RFC 4254 §6.10: `TERM`.
///
/// Unknown names from the peer are kept unchanged.
package struct SignalName: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text.hasPrefix("SIG") ? String(text.dropFirst(3)) : text
    }

    /// The signal with this number on Linux; a signal without a known name is represented by its number.
    package init(number: CInt) {
        text = Self.numbers.first { $0.value == number }?.key ?? String(number)
    }

    /// The number on Linux, 1–64, or nil for an unknown name.
    package var number: CInt? {
        if let number = Self.numbers[text] { return number }
        guard let number: CInt = NumberText.whole(text), (1...64).contains(number) else { return nil }
        return number
    }

    private static let numbers: [String: CInt] = [
        "HUP": SIGHUP, "INT": SIGINT, "QUIT": SIGQUIT, "ILL": SIGILL, "TRAP": SIGTRAP, "ABRT": SIGABRT,
        "BUS": SIGBUS, "FPE": SIGFPE, "KILL": SIGKILL, "USR1": SIGUSR1, "SEGV": SIGSEGV, "USR2": SIGUSR2,
        "PIPE": SIGPIPE, "ALRM": SIGALRM, "TERM": SIGTERM, "CHLD": SIGCHLD, "CONT": SIGCONT, "STOP": SIGSTOP,
        "TSTP": SIGTSTP, "TTIN": SIGTTIN, "TTOU": SIGTTOU, "URG": SIGURG, "XCPU": SIGXCPU, "XFSZ": SIGXFSZ,
        "VTALRM": SIGVTALRM, "PROF": SIGPROF, "WINCH": SIGWINCH, "SYS": SIGSYS,
    ]
}

extension SignalName: JSONReadable {
    package static var jsonType: JSONType { .string }

    package init(_ json: JSONOutline, in document: [UInt8]) throws(JSONValueError) {
        self.init(try String(json, in: document))
    }

    package func write(to writer: inout JSONWriter) { writer.string(text) }
}
