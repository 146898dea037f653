/// The fields of a type of JSON object, from which it is written, read, and described in the reference.
package struct JSONTable<Root: SendableMetatype>: ExpressibleByArrayLiteral, Sendable {
    /// In the order of the reference.
    package let fields: [JSONField<Root>]
    /// In the order in which they are written.
    private let written: [JSONField<Root>]
    /// In the order of `fields`.
    private let names: [String]
    /// The fields that must be present, as a set of bits.
    private let required: UInt64

    package init(arrayLiteral fields: JSONField<Root>...) {
        self.init(fields)
    }

    /// Fields are written in the order of their names, so that documents can be compared, unless `isSorted` is false.
    package init(_ fields: [JSONField<Root>], isSorted: Bool = true) {
        precondition(fields.count <= UInt64.bitWidth, "too many fields for the set of required ones")
        self.fields = fields
        names = fields.map(\.name)
        written = isSorted ? fields.sorted { $0.name < $1.name } : fields
        required = fields.indices.reduce(0) { $0 | (fields[$1].isRequired ? 1 << $1 : 0) }
    }

    /// Writes the members of an object.
    package func write(_ root: Root, to writer: inout JSONWriter) {
        for field in written { field.write(root, &writer) }
    }

    /// Copies the property of a stored field from one value to another.
    package func copy(_ property: any PartialKeyPath<Root> & Sendable, from source: Root, to root: inout Root) {
        guard let copy = fields.first(where: { $0.property == property })?.copy else {
            preconditionFailure("\(property) is not a stored field")
        }
        copy(source, &root)
    }

    /// Reads the fields of an object; a field that is null counts as missing.
    ///
    /// Returns the members that are not fields.
    package func read(
        _ json: JSONOutline,
        in document: [UInt8],
        into root: inout Root
    ) throws(JSONValueError) -> [JSONOutline.Member] {
        var others: [JSONOutline.Member] = []
        var present: UInt64 = 0
        // Members usually have the order of the table.
        var next = 0
        for member in try json.valid(json.members) {
            let index = names[next...].firstIndex(of: member.name) ?? names[..<next].firstIndex(of: member.name)
            guard let index, let read = fields[index].read else {
                others.append(member)
                continue
            }
            next = index + 1
            guard !member.value.isNull else { continue }
            do throws(JSONValueError) {
                try read(member.value, document, &root)
            } catch {
                throw error.inMember(member.name)
            }
            present |= 1 << index
        }
        let missing = required & ~present
        guard missing == 0 else {
            throw JSONValueError(line: json.line, path: names[missing.trailingZeroBitCount], isMissing: true)
        }
        return others
    }
}
