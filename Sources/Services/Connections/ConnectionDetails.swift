import Core

/// Prints each step of a connection as a `--verbose` detail.
package struct ConnectionDetails: ConnectionObserver {
    private let diagnostics: any Diagnostics

    package init(_ diagnostics: any Diagnostics) {
        self.diagnostics = diagnostics
    }

    package func connection(_ name: String, reached step: ConnectionStep) {
        switch step {
        case .resolved(let addresses):
            diagnostics.detail("\(name): resolved to \(addresses.joined(separator: " "))")
        case .connected(let address?):
            diagnostics.detail("\(name): connected to \(address)")
        case .connected(nil):
            diagnostics.detail("\(name): connected")
        case .identified(let banner):
            diagnostics.detail("\(name): server is \(banner)")
        case .keysExchanged(let algorithms):
            let names = [algorithms.keyExchange, algorithms.hostKey, algorithms.cipher, algorithms.mac]
            diagnostics.detail("\(name): negotiated \(names.joined(separator: " "))")
        case .trusted(let key, let verdict):
            diagnostics.detail("\(name): \(key.type) key is \(verdict.rawValue)")
        case .greeted(let banner):
            for line in banner.split(whereSeparator: \.isNewline) { diagnostics.detail("\(name): banner: \(line)") }
        case .authenticated(let method):
            diagnostics.detail("\(name): authenticated with \(method)")
        case .shared(let processID):
            diagnostics.detail("\(name): using the shared connection of process \(processID)")
        case .retrying(let error):
            diagnostics.detail("\(name): retrying: \(error.message)")
        case .printed(let line):
            diagnostics.detail("\(name): \(line)")
        case .refused(let variable):
            diagnostics.detail("\(name): the server rejected the variable '\(variable)'")
        }
    }
}
