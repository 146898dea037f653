import Core

/// A file that a snapshot does not contain although it is not ignored.
package struct OmittedFile: Hashable, Sendable {
    package enum Reason: String, CaseIterable, JSONReadable, Sendable {
        /// A socket, a FIFO or a device.
        case special
        case unreadable
        case tooLarge = "too-large"
        /// git cannot save a file with this name, or a symbolic link with it.
        case name
        /// The path is longer than the system allows.
        case tooLong = "too-long"
    }

    /// Relative to the tree.
    package var path = ByteString("")
    package var reason = Reason.special

    package init() {}

    init(_ path: ByteString, _ reason: Reason) {
        self.path = path
        self.reason = reason
    }
}

extension OmittedFile: JSONRecord {
    package static let documentName = "omitted file"
    package static let documentSummary = "a file that a snapshot does not contain although it is not ignored"

    package static let fields: JSONTable<Self> = [
        .stored("path", \.path.jsonText, "path relative to the tree; invalid UTF-8 is replaced"),
        .stored("path_base64", \.path.jsonBase64, "the path in Base64, if it is not valid UTF-8"),
        .stored("reason", \.reason, "why it is not saved; `special` is a socket, a FIFO or a device"),
    ]
}

/// A path as two fields of JSON: text, and Base64 if it is not valid UTF-8.
extension ByteString {
    package var jsonText: String {
        get { repairedText }
        set { bytes = Array(newValue.utf8) }
    }

    /// Must be read after `jsonText`, whose value it replaces: fields are written in the order of their names.
    package var jsonBase64: String? {
        get { text == nil ? Base64.encode(bytes) : nil }
        set {
            if let newValue, let decoded = Base64.decode(Array(newValue.utf8)) { bytes = decoded }
        }
    }
}
