import Core

/// A session as JSON.
struct SessionDocument {
    let session: Session
    let profile: String?
    let isNew: Bool?

    init(_ session: Session, profile: String?, isNew: Bool? = nil) {
        self.session = session
        self.profile = profile
        self.isNew = isNew
    }
}

extension SessionDocument: JSONDocument {
    static let documentName = "session"
    static let documentSummary = "a session"

    static let fields = JSONTable<Self>(
        Session.fields.fields.map { field in
            guard Session.unknownToVibeTunnel.contains(where: { $0 == field.property }) else {
                return field.nested(in: \.session)
            }
            return field.nested(in: \.session, if: { $0.session.vibeTunnel == nil })
        } + [
            .field("profile", \.profile, "server; absent for this machine"),
            .field("is_new", \.isNew, "only for `vt sessions create`: false if the session already existed"),
        ]
    )
}
