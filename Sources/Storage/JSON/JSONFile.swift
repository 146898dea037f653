import Core
import FoundationEssentials

/// The contents of one of vt's JSON files, with errors that name the file and line.
struct JSONFile {
    let path: String
    let bytes: [UInt8]

    /// - Throws: `config` when the file is not JSON.
    func outline() throws(VTError) -> JSONOutline {
        do throws(JSONSyntaxError) {
            return try JSONOutlineParser.parse(bytes)
        } catch {
            throw self.error(line: error.line, error.message)
        }
    }

    /// - Throws: `config` when the value is not an object.
    func members(of value: JSONOutline, name: String) throws(VTError) -> [JSONOutline.Member] {
        guard let members = value.members else { throw error(at: value, "\(name) is not an object") }
        return members
    }

    /// - Throws: `config` unless the member `schema` is an integer from 1 to `newest`.
    func checkSchema(
        of members: [JSONOutline.Member],
        in document: JSONOutline,
        newest: Int
    ) throws(VTError) {
        guard let member = members.first(where: { $0.name == "schema" }) else {
            throw error(at: document, "'schema' is missing")
        }
        let text = String(decoding: text(of: member.value), as: UTF8.self)
        guard let schema = Int(text), schema >= 1 else {
            throw error(at: member.value, "'schema' is not a positive integer")
        }
        guard schema <= newest else {
            throw VTError(
                .config,
                "'\(path)' line \(member.value.line): schema \(schema) is too new: this vt supports schema \(newest)",
                hint: "use the vt that wrote the file, or a newer version"
            )
        }
    }

    /// - Throws: `config`, naming the invalid field.
    func decode<Value: Decodable>(
        _ type: Value.Type,
        from value: JSONOutline,
        name: String
    ) throws(VTError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(text(of: value)))
        } catch let failure as DecodingError {
            throw error(failure, in: value, name: name)
        } catch {
            throw self.error(at: value, "\(name) is invalid")
        }
    }

    func text(of value: JSONOutline) -> [UInt8] {
        Array(bytes[value.range])
    }

    /// The source text of the member, including its name.
    func text(of member: JSONOutline.Member) -> [UInt8] {
        Array(bytes[member.range])
    }

    func error(at value: JSONOutline, _ message: String) -> VTError {
        error(line: value.line, message)
    }

    private func error(line: Int, _ message: String) -> VTError {
        VTError(
            .config,
            "'\(path)' line \(line): \(message)",
            hint: "correct the line: vi +\(line) \(ByteString(path).shellQuoted.repairedText)"
        )
    }

    private func error(_ failure: DecodingError, in value: JSONOutline, name: String) -> VTError {
        switch failure {
        case .keyNotFound(let key, let context):
            error(at: value.nearest(to: context.codingPath), "\(name) lacks '\(key.stringValue)'")
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            error(
                at: value.nearest(to: context.codingPath),
                context.codingPath.isEmpty
                    ? "\(name) is invalid"
                    : "'\(context.codingPath.map(\.stringValue).joined(separator: "."))' in \(name) is invalid"
            )
        @unknown default:
            error(at: value, "\(name) is invalid")
        }
    }
}
