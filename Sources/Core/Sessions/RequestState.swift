/// What a session's holder has recorded about a request to which a client has given an ID.
package enum RequestState: String, CaseIterable, JSONReadable, Sendable {
    /// It has had no effect: the holder has not received it, has refused it, or has not begun with it.
    case unseen
    /// The holder has begun to pass it to the program.
    case begun
    /// All of it has been passed to the program; a line has ended.
    case done
}
