import Core
import Testing

@Suite struct ViaCommandTests {
    @Test(
        arguments: [
            ("docker exec -i box", ["docker", "exec", "-i", "box", "sh", "-c", "x"]),
            ("run {argv} --last", ["run", "sh", "-c", "x", "--last"]),
            ("run '{argv}'", ["run", "sh", "-c", "x"]),
            ("ssh web {line}", ["ssh", "web", "sh -c x"]),
            ("gcloud ssh vm --command={line} -q", ["gcloud", "ssh", "vm", "--command=sh -c x", "-q"]),
            ("sh -c '{line}; {line}'", ["sh", "-c", "sh -c x; sh -c x"]),
            ("'my program' ''", ["my program", "", "sh", "-c", "x"]),
        ] as [(String, [ByteString])]
    )
    func `the command is put in its place`(_ text: String, _ expected: [ByteString]) throws {
        let command = try ViaCommand(parsing: text)
        #expect(command.arguments(running: ["sh", "-c", "x"], line: "sh -c x") == expected)
        #expect(command.takesLine == text.contains("{line}"))
    }

    @Test(
        arguments: [
            "", " ", "''", "{argv}", "{line}", "x{line}", "a {argv} {argv}", "a {argv} {line}", "a x{argv}", "a 'b",
        ]
    )
    func `text without exactly one place for the command is an error`(_ text: String) {
        #expect(throws: VTError.self) { try ViaCommand(parsing: text) }
    }
}
