import Arguments
import Core

extension Context {
    /// Throws the last of several errors, after reporting the others, so that they are reported in order.
    func check<Value>(_ outcomes: [Result<Value, VTError>], named names: [String]) throws(VTError) {
        var last: VTError?
        for (name, outcome) in zip(names, outcomes) {
            guard case .failure(let error) = outcome else { continue }
            if let last { report(last, status: passesStatusThrough ? last.code.passThroughStatus : last.code.status) }
            last = names.count > 1 ? error.naming(name) : error
        }
        if let last { throw last }
    }

    /// Reports an error, and returns its exit status, even if the command passes the status of a program through.
    func fail(_ error: VTError) -> ProcessExit {
        report(error, status: error.code.status)
        return .status(error.code.status)
    }

    /// Reports an error on standard error, with `--json` as a document; the run continues.
    private func report(_ error: VTError, status: UInt8) {
        guard global.json else { return diagnostics.failure(error.message) }
        let text = ErrorReport(error, status: status).text(global)
        // A failure to write to standard error cannot be reported.
        try? console.errorOutput.write(Array(text.utf8))
    }
}

extension VTError {
    /// The error with the name of what it is about, unless the message already contains it.
    ///
    /// The error of a session on a server contains the names of the server and of the session.
    fileprivate func naming(_ name: String) -> VTError {
        let session = name.split(separator: ":", maxSplits: 1).last ?? ""
        guard !message.contains("'\(name)'"), !message.contains("'\(session)'") else { return self }
        var named = self
        named.message = "\(name): \(message)"
        return named
    }
}
