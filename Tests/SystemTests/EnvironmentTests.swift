import Core
import System
import Testing

@Suite struct EnvironmentTests {
    @Test func `an empty variable counts as unset`() {
        let environment = Environment(["FULL": "a=b", "EMPTY": ""])
        #expect(environment["FULL"] == "a=b")
        #expect(environment["EMPTY"] == nil)
        #expect(environment["FUL"] == nil)
        #expect(Set(environment.words) == ["FULL=a=b", "EMPTY="])
    }

    @Test func `the process has an environment`() throws {
        #expect(try #require(Environment.process["PATH"]).contains("/bin"))
    }
}
