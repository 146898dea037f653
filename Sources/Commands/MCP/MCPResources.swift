import Core
import Runtime
import Services
import Terminal

/// The screens and logs of sessions as resources: `vt://PROFILE/SESSION/screen` and `vt://PROFILE/SESSION/log`, with
/// `local` for this machine.
struct MCPResources: Sendable {
    private let toolbox: MCPToolbox

    private enum Part: String {
        case screen, log
    }

    /// The maximum size of the end of a log in a resource.
    private static let logLimitBytes = 64 << 10
    /// The minimum time between two notifications of changes of a resource.
    private static let interval = Duration.seconds(1)

    init(_ toolbox: MCPToolbox) {
        self.toolbox = toolbox
    }

    private func parse(_ address: String) -> (session: SessionReference, part: Part)? {
        let words = address.split(separator: "/", omittingEmptySubsequences: false)
        guard words.count == 5, words[0] == "vt:", words[1].isEmpty, let part = Part(rawValue: String(words[4])),
            let session = try? SessionReference(parsing: "\(words[2]):\(words[3])"),
            (try? toolbox.policy.check(session)) != nil
        else { return nil }
        return (session, part)
    }

    private func isAllowed(_ address: String) -> Bool { parse(address) != nil }

    /// The sessions of this machine (Resource in the MCP schema).
    func list() async throws(MCPFailure) -> [UInt8] {
        let sessions: [Session]
        do throws(VTError) {
            sessions = try await SessionOperand.withClient(of: nil, in: toolbox.context) { client throws(VTError) in
                try await client.call(ListRequest())
            }
        } catch {
            throw MCPFailure(.invalidRequest, error.message.sanitized)
        }
        return JSONWriter.array { writer in
            for session in sessions {
                for part in [Part.screen, .log] {
                    let address = "vt://\(ProfileName.local)/\(session.name)/\(part)"
                    guard isAllowed(address) else { continue }
                    writer.object { writer in
                        writer.member("uri", address)
                        writer.member("name", "\(session.name) \(part)")
                        writer.member("mimeType", "text/plain")
                    }
                }
            }
        }
    }

    /// ResourceTemplate in the MCP schema.
    static let templates = JSONWriter.array { writer in
        for (part, text) in [
            (Part.screen, "the screen of a session"), (.log, "the end of the output of a session"),
        ] {
            writer.object { writer in
                writer.member("uriTemplate", "vt://{profile}/{session}/\(part)")
                writer.member("name", "\(part)")
                writer.member("description", "\(text); the profile of this machine is 'local'")
                writer.member("mimeType", "text/plain")
            }
        }
    }

    /// Returns the contents of a resource (ResourceContents in the MCP schema).
    func read(_ address: String) async throws(MCPFailure) -> [UInt8] {
        guard let (reference, part) = parse(address) else {
            throw MCPFailure(.invalidParams, "unknown resource '\(address.prefix(200))'")
        }
        let text: String
        do throws(VTError) {
            text = try await SessionOperand.withClient(of: reference, in: toolbox.context) { client throws(VTError) in
                switch part {
                case .screen:
                    let shown = try await client.call(ScreenRequest(), on: reference.session)
                    return TextRenderer.render(shown.emulator().screen())
                case .log:
                    let session = try await client.session(reference.session)
                    let limit = UInt64(Self.logLimitBytes)
                    let start = session.outputBytes > limit ? session.outputBytes - limit : 0
                    let output = PartialOutput(from: start, limit: Self.logLimitBytes, startsAtLine: true)
                    let end = try await client.logs(
                        of: reference.session,
                        from: .offset(start),
                        follows: false,
                        receiver: output
                    )
                    return String(decoding: output.text(of: end), as: UTF8.self)
                }
            }
        } catch {
            throw MCPFailure(.invalidParams, error.message.sanitized)
        }
        return JSONWriter.array { writer in
            writer.object { writer in
                writer.member("uri", address)
                writer.member("mimeType", "text/plain")
                writer.member("text", text)
            }
        }
    }

    /// A resource to watch, from an offset in the output of its session.
    struct Watched: Sendable {
        let address: String
        fileprivate let session: SessionReference
        fileprivate let start: UInt64
    }

    /// Returns the resources that can be watched, each from the current end of its session's output.
    func watchable(_ addresses: [String]) async -> [Watched] {
        let outcomes = await addresses.outcomes { address throws(VTError) -> Watched? in
            guard let session = parse(address)?.session else { return nil }
            return try await SessionOperand.withClient(of: session, in: toolbox.context) { client throws(VTError) in
                Watched(
                    address: address,
                    session: session,
                    start: try await client.session(session.session).outputBytes
                )
            }
        }
        return outcomes.compactMap { try? $0.get() }
    }

    /// Calls `report` when a resource has changed; returns when all sessions have ended.
    func watch(
        _ resources: [Watched],
        _ report: @escaping @Sendable (String) async throws(VTError) -> Void
    ) async throws(VTError) {
        let outcomes = await resources.outcomes { resource throws(VTError) in
            let (context, changes) = (toolbox.context, ResourceChanges(resource.address, report))
            try await SessionOperand.withClient(of: resource.session, in: context) { client throws(VTError) in
                let clock = context.world.clock
                try await withWatch({ () async throws(VTError) in
                    try await changes.send(every: Self.interval, on: clock)
                }) { () async throws(VTError) in
                    _ = try await client.logs(
                        of: resource.session.session,
                        from: .offset(resource.start),
                        follows: true,
                        receiver: changes
                    )
                }
            }
        }
        for outcome in outcomes { try outcome.get() }
    }
}
