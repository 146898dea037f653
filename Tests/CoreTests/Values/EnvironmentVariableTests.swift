import Core
import Testing

struct EnvironmentVariableTests {
    @Test func `splits at the first equals sign`() throws {
        let variable = try EnvironmentVariable("A_1=b=c")
        #expect(variable.name == "A_1")
        #expect(variable.value == "b=c")
    }

    @Test(arguments: [
        ("NAME", "invalid variable 'NAME': expected NAME=VALUE"),
        ("1A=b", "invalid variable name '1A'"),
        ("=b", "invalid variable name ''"),
        ("NAME=a\0b", "the value of 'NAME' contains a NUL byte"),
    ])
    func `an error names what is invalid`(_ text: String, _ message: String) {
        let error = #expect(throws: VTError.self) { try EnvironmentVariable(text) }
        #expect(error?.code == .usage)
        #expect(error?.message == message)
    }
}
