import Core

/// A request of a command to the server on this machine, as a JSON object.
enum ShareCall: Sendable {
    /// Makes a link to a session or, with the role of the owner, to all of them.
    case share(session: String, role: PageRole, isOnce: Bool, isReusable: Bool, lifetimeMilliseconds: Int64)
    /// Lists the links.
    case list
    case revoke(String)

    private enum Verb: String, JSONReadable, CaseIterable {
        case share, list, revoke
    }

    var json: [UInt8] {
        CallFields.write { fields in
            switch self {
            case .share(var session, var role, var isOnce, var isReusable, var lifetime):
                Self.declare(.share, &fields)
                fields.field("session", &session)
                fields.field("role", &role)
                fields.field("once", &isOnce)
                fields.field("reusable", &isReusable)
                fields.field("expires_ms", &lifetime)
            case .list: Self.declare(.list, &fields)
            case .revoke(var link):
                Self.declare(.revoke, &fields)
                fields.field("link", &link)
            }
        }
    }

    /// - Throws: `protocol`.
    init(_ json: [UInt8]) throws(VTError) {
        var fields = try CallFields(reading: json)
        var (verb, session, link): (Verb?, String, String) = (nil, "", "")
        var (role, isOnce, isReusable, lifetime) = (PageRole.read, false, false, Int64(0))
        fields.field("call", &verb)
        switch verb {
        case .share:
            fields.field("session", &session)
            fields.field("role", &role)
            fields.field("once", &isOnce)
            fields.field("reusable", &isReusable)
            fields.field("expires_ms", &lifetime)
            self = .share(
                session: session,
                role: role,
                isOnce: isOnce,
                isReusable: isReusable,
                lifetimeMilliseconds: lifetime
            )
        case .list: self = .list
        case .revoke:
            fields.field("link", &link)
            self = .revoke(link)
        case nil: throw VTError(.protocolViolation, "this version of vt does not support the call")
        }
        try fields.check()
    }

    private static func declare(_ verb: Verb, _ fields: inout CallFields) {
        var verb = verb
        fields.field("call", &verb)
    }
}
