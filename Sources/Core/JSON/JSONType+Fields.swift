extension JSONType {
    /// The type of a field, or of a value of a map; nil if there is none with this name.
    package func field(_ name: String) -> JSONType? {
        switch self {
        case .object(let object): object.fields.first { $0.name == name }?.type
        case .map(let value): value
        case .either(let types): types.lazy.compactMap { $0.field(name) }.first
        case .string, .choice, .integer, .number, .boolean, .array, .any: nil
        }
    }

    /// The names of all fields, those of nested objects after a period: `size`, `size.columns`.
    package var fieldPaths: [String] {
        switch self {
        case .object(let object):
            object.fields.flatMap { field in [field.name] + field.type.fieldPaths.map { "\(field.name).\($0)" } }
        case .either(let types):
            types.flatMap(\.fieldPaths).reduce(into: []) { paths, path in
                if !paths.contains(path) { paths.append(path) }
            }
        case .string, .choice, .integer, .number, .boolean, .array, .map, .any: []
        }
    }
}
