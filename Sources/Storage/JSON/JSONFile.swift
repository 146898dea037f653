import Core

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

    /// Reads a part of the file that messages refer to as `name`.
    ///
    /// - Throws: `config`, naming the invalid or missing field.
    func read<Value>(
        _ name: String,
        _ body: () throws(JSONValueError) -> Value
    ) throws(VTError) -> Value {
        do throws(JSONValueError) {
            return try body()
        } catch {
            throw self.error(line: error.line, error.message(for: name))
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
}
