import Core

extension Diagnostics {
    /// Shows each step of a connection as a `--verbose` detail.
    package var connectionDetails: ConnectionObserver {
        { name, step in
            switch step {
            case .resolved(let addresses):
                detail("\(name): resolved to \(addresses.joined(separator: " "))")
            case .connected(let address?):
                detail("\(name): connected to \(address)")
            case .connected(nil):
                detail("\(name): connected")
            case .identified(let banner):
                detail("\(name): server is \(banner)")
            case .keysExchanged(let algorithms):
                detail("\(name): negotiated \(algorithms.joined(separator: " "))")
            case .trusted(let key, let verdict):
                detail("\(name): \(key.type) key is \(verdict.rawValue)")
            case .greeted(let banner):
                for line in banner.split(whereSeparator: \.isNewline) { detail("\(name): banner: \(line)") }
            case .authenticated(let method):
                detail("\(name): authenticated with \(method)")
            case .shared(let processID):
                detail("\(name): using the shared connection of process \(processID)")
            case .retrying(let error):
                detail("\(name): retrying: \(error.message)")
            case .printed(let line):
                detail("\(name): \(line)")
            case .refused(let variable):
                detail("\(name): the server rejected the variable '\(variable)'")
            }
        }
    }
}
