import Arguments
import Core
import Terminal

/// The description of the JSON document of a screen, which `JSONRenderer` writes.
enum ScreenDocument {
    /// The document of `vt sessions screen`.
    static var sessionScreen: JSONType {
        let fields = [
            FieldSpec("id", .string, "ID of the session"),
            FieldSpec("name", .string, "name of the session"),
            FieldSpec("profile", .string, "server; absent for this machine", isOptional: true),
            FieldSpec("offset", .integer, "offset up to which output is shown", in: .bytes),
        ]
        return .object(ObjectSpec("session screen", "the screen of a session", fields: fields + screen))
    }

    /// The document of `vt cast screen`.
    static var recordingScreen: JSONType {
        let fields = [
            FieldSpec("file", .string, "path of the recording; absent for standard input", isOptional: true),
            FieldSpec("time", .number, "position of the screen in the recording", in: .seconds),
            FieldSpec("events", .integer, "number of events up to that position"),
        ]
        return .object(
            ObjectSpec("recording screen", "the screen at a position in a recording", fields: fields + screen)
        )
    }

    private static var screen: [FieldSpec] {
        [
            FieldSpec("size", SizeDocument.jsonType, "size of the screen"),
            FieldSpec("cursor", .object(cursor), "the cursor"),
            FieldSpec("alternate", .boolean, "whether the alternate screen is shown"),
            FieldSpec("title", .string, "title of the terminal", isOptional: true),
            FieldSpec(
                "working_directory",
                .string,
                "URL of the working directory, as reported by the program (OSC 7)",
                isOptional: true
            ),
            FieldSpec("modes", .array(.string), "modes that are set, such as `bracketed-paste`"),
            FieldSpec("prompt", .object(prompt), "state reported by the shell (OSC 133)", isOptional: true),
            FieldSpec("scrollback", .array(.object(row)), "rows above the screen, oldest first", isOptional: true),
            FieldSpec("rows", .array(.object(row)), "rows of the screen, from the top"),
        ]
    }

    private static var cursor: ObjectSpec {
        let fields = [
            FieldSpec("column", .integer, "column, numbered from 0"),
            FieldSpec("row", .integer, "row, numbered from 0"),
            FieldSpec("visible", .boolean, "whether the cursor is shown"),
            FieldSpec("shape", .choice(["block", "underline", "bar"]), "shape"),
            FieldSpec("blinking", .boolean, "whether the cursor blinks"),
            FieldSpec(
                "wrap_pending",
                .boolean,
                "true if the last column has been written, so that the next character starts a new row",
                isOptional: true
            ),
        ]
        return ObjectSpec("cursor", "the cursor of a screen", fields: fields)
    }

    private static var prompt: ObjectSpec {
        let fields = [
            FieldSpec("phase", .choice(["prompt", "input", "output", "ended"]), "what the shell is doing"),
            FieldSpec("status", .integer, "exit status of the last command", isOptional: true),
        ]
        return ObjectSpec("prompt", "the state of a shell that marks its prompts", fields: fields)
    }

    private static var row: ObjectSpec {
        let sizes = ["double-width", "double-top", "double-bottom"]
        let fields = [
            FieldSpec("text", .string, "text without trailing blanks"),
            FieldSpec("wrapped", .boolean, "true if the line continues on the next row", isOptional: true),
            FieldSpec("size", .choice(sizes), "size of the characters, unless it is normal", isOptional: true),
            FieldSpec(
                "marks",
                .array(.choice(["prompt", "input", "output", "end"])),
                "parts that start on the row, as marked by the shell",
                isOptional: true
            ),
            FieldSpec("runs", .array(.object(run)), "characters with the same appearance"),
        ]
        return ObjectSpec("row", "a row of a screen", fields: fields)
    }

    private static var run: ObjectSpec {
        let color = JSONType.either([.integer, .string])
        let attributes = [
            "bold", "dim", "italic", "blink", "inverse", "concealed", "struck", "overlined", "protected",
        ]
        let underlines = ["single", "double", "curly", "dotted", "dashed"]
        let fields = [
            FieldSpec("column", .integer, "first column, numbered from 0"),
            FieldSpec("width", .integer, "width", in: .columns),
            FieldSpec("text", .string, "text"),
            FieldSpec("foreground", color, "color: an index from 0 to 255, or `#rrggbb`", isOptional: true),
            FieldSpec("background", color, "background color", isOptional: true),
            FieldSpec("attributes", .array(.choice(attributes)), "attributes", isOptional: true),
            FieldSpec("underline", .choice(underlines), "underline", isOptional: true),
            FieldSpec("underline_color", color, "color of the underline", isOptional: true),
            FieldSpec("link", .string, "target of the link", isOptional: true),
            FieldSpec("link_id", .string, "identifier of the link, if the program set one", isOptional: true),
        ]
        return ObjectSpec("run", "adjacent characters with the same appearance", fields: fields)
    }
}
