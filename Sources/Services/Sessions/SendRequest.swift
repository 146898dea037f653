/// Input for a session's terminal.
package struct SendRequest: Sendable {
    package var input: [UInt8]
    /// Whether input for a frozen or paused session is written when it is resumed.
    package var waits = false
    package var timeout: Duration?
    /// The ID of the request: input of at most `SessionFrame.limitBytes` that the holder has received before is not
    /// written again.
    package var id: String?
    /// Whether the input is also written while a question is open.
    package var isForced = false

    package init(_ input: [UInt8], waits: Bool = false, timeout: Duration? = nil, id: String? = nil) {
        (self.input, self.waits, self.timeout, self.id) = (input, waits, timeout, id)
    }
}
