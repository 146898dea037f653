import Arguments
import Core

// The JSON documents of `vt help`, which are encoded by the module Arguments.

extension CompletionKind: JSONValue {}
extension OperandSpec.Arity: JSONValue {}
extension VTError.Code: JSONValue {}

extension CommandTree: JSONDocument {
    package static let documentName = "command line"
    package static let documentSummary = "all vt commands"

    package static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .version: JSONField(\Self.version, "version of vt")
        case .date: JSONField(\Self.date, "release date, `2026-11-21`")
        case .summary: JSONField(\Self.overview.summary, "what vt does, in one phrase")
        case .description: JSONField(\Self.overview.description, "one paragraph per element")
        case .examples: JSONField(\Self.overview.examples, "examples")
        case .files: JSONField(\Self.overview.files, "files that vt uses")
        case .sections: JSONField(\Self.overview.sections, "headings of the list of commands")
        case .groups: JSONField(\Self.visibleGroups, "groups of commands")
        case .commands: JSONField(\Self.visibleCommands, "all commands, in the order of the manual")
        case .globalOptions: JSONField(\Self.globalOptions, "options that every command accepts")
        case .exitStatuses: JSONField(.array(ExitStatusRow.jsonType), "all exit statuses")
        }
    }
}

extension CommandSpec: JSONDocument {
    package static let documentName = "command"
    package static let documentSummary = "a vt command"

    package static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .path: JSONField(\Self.path, "words of the command's name")
        case .synopsis: JSONField(\Self.synopsis, "usage line")
        case .summary: JSONField(\Self.summary, "what it does, in one phrase")
        case .description:
            JSONField(
                \Self.description,
                "one paragraph per element; lines of shell input are indented by four spaces"
            )
        case .operands: JSONField(\Self.operands, "operands, in order")
        case .options: JSONField(\Self.options, "options, without the global options")
        case .examples: JSONField(\Self.examples, "examples")
        case .files: JSONField(\Self.files, "files that the command uses")
        case .exitCodes: JSONField(\Self.allExitCodes, "error classes that the command can report")
        case .passesStatusThrough:
            JSONField(
                \Self.passesStatusThrough,
                "whether it exits with a program's status; if vt itself fails, the status is 255, or 124 on a timeout"
            )
        case .passesStatusThroughWith:
            JSONField(\Self.passesStatusThroughWith, "options with which it also exits with the status of a program")
        case .passesStatusThroughWithCommand:
            JSONField(
                \Self.passesStatusThroughWithCommand,
                "whether it also exits with the status of a program if a command to run is given"
            )
        case .isHidden: JSONField(\Self.isHidden, "whether the command is for internal use")
        }
    }
}

extension OperandSpec: JSONDocument {
    package static let documentName = "operand"
    package static let documentSummary = "an argument that is not an option"

    package static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .placeholder: JSONField(\Self.placeholder, "name in the synopsis")
        case .arity: JSONField(\Self.arity, "number of words; `command_words` takes the rest of the line")
        case .completion: JSONField(\Self.completion, "kind of completions that a shell offers")
        case .omittedWith: JSONField(\Self.omittedWith, "options that replace the operand")
        }
    }
}

extension OptionSpec: JSONDocument {
    package static let documentName = "option"
    package static let documentSummary = "an option of a command"

    package static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .long: JSONField(\Self.long, "long name without dashes")
        case .short: JSONField(.string, "letter of the short form", isOptional: true)
        case .value: JSONField(\Self.value, "value that it takes; absent for a flag")
        case .repeatable: JSONField(\Self.isRepeatable, "whether the option can be given more than once")
        case .excludes:
            JSONField(
                \Self.excludes,
                "options that cannot be combined with this one; each pair is listed by at least one of the two"
            )
        case .summary: JSONField(\Self.summary, "what it does, in one phrase")
        case .details: JSONField(\Self.details, "additional explanation, in full sentences")
        }
    }
}

extension ValueSpec: JSONDocument {
    package static let documentName = "option value"
    package static let documentSummary = "the value of an option"

    package static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .placeholder: JSONField(\Self.placeholder, "name in the synopsis")
        case .choices: JSONField(\Self.choices, "allowed values; empty if any value is allowed")
        case .completion: JSONField(\Self.completion, "kind of completions that a shell offers")
        case .defaultText: JSONField(\Self.defaultText, "default, as it would be typed")
        }
    }
}

extension GroupSpec: JSONDocument {
    package static let documentName = "group"
    package static let documentSummary = "a first word that must be followed by a verb"

    package static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .name: JSONField(\Self.name, "the word")
        case .summary: JSONField(\Self.summary, "what its commands do, in one phrase")
        }
    }
}

extension ExampleSpec: JSONDocument {
    package static let documentName = "example"
    package static let documentSummary = "an example command line"

    package static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .command: JSONField(\Self.command, "the command line")
        case .summary: JSONField(\Self.summary, "what it does, in one phrase")
        }
    }
}

extension ExitStatusRow: JSONDocument {
    package static let documentName = "exit status"
    package static let documentSummary = "an exit status of vt"

    package static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .exit: JSONField(\Self.exit, "number, or `128+n`")
        case .code: JSONField(\Self.code, "error class")
        case .meaning: JSONField(\Self.meaning, "meaning, in one phrase")
        }
    }
}

extension FileSpec: JSONDocument {
    package static let documentName = "file"
    package static let documentSummary = "a file or directory that vt uses"

    package static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .path: JSONField(\Self.path, "default path; directories end with a slash")
        case .summary: JSONField(\Self.summary, "contents, in one phrase")
        }
    }
}

extension SectionSpec: JSONDocument {
    package static let documentName = "section"
    package static let documentSummary = "a heading of the list of commands"

    package static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .title: JSONField(\Self.title, "heading")
        case .words: JSONField(\Self.words, "first words of its commands")
        }
    }
}
