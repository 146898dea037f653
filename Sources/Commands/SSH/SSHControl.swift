import Core
import Services
import System

/// A command for the shared connection of a host (ssh(1), `-O`).
package enum SSHControl: String, Hashable, Sendable {
    /// Check that there is a connection.
    case check
    /// Close the connection once it is unused.
    case exit
    /// Accept no further commands on the connection, which is the same to vt as closing it once it is unused.
    case stop

    /// - Throws: `usage` for an unknown command.
    init(parsing text: String) throws(VTError) {
        guard let control = SSHControl(rawValue: text) else {
            throw VTError(.usage, "cannot use '-O \(text)'", hint: "use check, exit or stop")
        }
        self = control
    }

    /// Performs the command; returns the line that ssh prints and the exit status.
    ///
    /// - Throws: `io` when the directory of the connections cannot be read.
    func perform(on plan: SSHPlan, in context: Context) async throws(VTError) -> (line: String, status: UInt8) {
        let registry = try context.world.connections(context.diagnostics)
        let isSelected: @Sendable (SharedConnection) -> Bool = { connection in
            connection.name == plan.name && connection.user == plan.user && connection.endpoint == plan.endpoint
                && !connection.isClosing
        }
        let connections =
            self == .check
            ? try await registry.connections().filter(isSelected) : try await registry.close(where: isSelected)
        guard let connection = connections.first else {
            let directory = try context.world.directories().connections
            return ("Control socket connect(\(directory)): No such file or directory", 255)
        }
        return switch self {
        case .check: ("Master running (pid=\(connection.processID))", 0)
        case .exit: ("Exit request sent.", 0)
        case .stop: ("Stop listening request sent.", 0)
        }
    }
}
