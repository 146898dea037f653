import Core
import Foundation
import Services
import System
import Testing

@Suite struct ShardTests {
    private static let targets = (1...400).map { Target.profile("web-\($0).example.com") }

    private static func parts(of targets: [Target], _ count: Int) -> [[Target]] {
        (1...count).map { index in targets.filter { Shard(index: index, count: count)?.contains($0) ?? false } }
    }

    @Test(arguments: [1, 2, 3, 4, 7, 64])
    func `each target is in exactly one part, and the parts have similar sizes`(_ count: Int) {
        let parts = Self.parts(of: Self.targets, count)
        #expect(parts.joined().count == Self.targets.count)
        #expect(Set(parts.joined()) == Set(Self.targets))
        // Six standard deviations of a binomial distribution.
        let mean = 400.0 / Double(count)
        for part in parts { #expect(abs(Double(part.count) - mean) <= 6 * mean.squareRoot() + 1, "\(part.count)") }
    }

    @Test(
        arguments: [("web-%d", 99), ("web-%03d", 999), ("node%04d", 1000), ("10.0.0.%d", 254), ("root@10.0.0.%d", 254)]
    )
    func `numbered targets are distributed evenly over any number of parts`(_ format: String, _ size: Int) throws {
        let targets = try (1...size).map { try Target(parsing: String(format: format, $0)) }
        for count in 2...16 {
            let mean = Double(size) / Double(count)
            let parts = Self.parts(of: targets, count)
            let chiSquare = parts.reduce(0) { $0 + (Double($1.count) - mean) * (Double($1.count) - mean) / mean }
            // The quantile for a probability of 0.1 % (Wilson and Hilferty's approximation).
            let freedom = Double(count - 1)
            let term = 2 / (9 * freedom)
            let limit = freedom * pow(1 - term + 3.09 * term.squareRoot(), 3)
            #expect(chiSquare < limit, "\(parts.map(\.count))")
        }
    }

    @Test func `a new target does not move other targets`() {
        let fewer = Self.parts(of: Self.targets.filter { $0 != Self.targets[17] }, 4)
        for (before, after) in zip(fewer, Self.parts(of: Self.targets, 4)) {
            #expect(after.filter { $0 != Self.targets[17] } == before)
        }
    }

    @Test func `the part of a target never changes`() throws {
        let parts = ["local", "web", "db", "ann@10.0.0.1:2222"].map { text in
            (1...4).first { (try? Target(parsing: text)).map(Shard(index: $0, count: 4)!.contains) ?? false }
        }
        #expect(parts == [2, 3, 3, 3])
    }

    @Test(arguments: ["", "1", "0/4", "5/4", "1/0", "a/b", "1/4/2", "-1/4", "1/"])
    func `malformed parts are rejected`(_ text: String) {
        #expect(throws: VTError.self) { try Shard(parsing: text) }
    }

    @Test(
        arguments: [
            ("2/4", [("SLURM_ARRAY_TASK_ID", "1"), ("MIN", "0"), ("MAX", "3"), ("COUNT", "4"), ("STEP", "1")]),
            ("3/3", [("SLURM_ARRAY_TASK_ID", "9"), ("MIN", "5"), ("MAX", "9"), ("COUNT", "3"), ("STEP", "2")]),
            ("1/4", [("JOB_COMPLETION_INDEX", "0"), ("JOB_COMPLETIONS", "4")]),
            ("4/4", [("CI_NODE_INDEX", "4"), ("CI_NODE_TOTAL", "4")]),
            ("4/4", [("CIRCLE_NODE_INDEX", "3"), ("CIRCLE_NODE_TOTAL", "4")]),
            ("1/2", [("BUILDKITE_PARALLEL_JOB", "0"), ("BUILDKITE_PARALLEL_JOB_COUNT", "2")]),
            ("2/5", [("PARALLEL_SEQ", "2"), ("PARALLEL_TOTAL", "5")]),
        ] as [(String, [(String, String)])]
    )
    func `engines set the part in the environment`(_ part: String, _ variables: [(String, String)]) throws {
        #expect(try ShardEnvironment(Self.environment(variables)).shard().text == part)
    }

    @Test(
        arguments: [
            [],
            // Without the number of parts.
            [("PARALLEL_SEQ", "2")], [("JOB_COMPLETION_INDEX", "0")],
            // An array with gaps.
            [("SLURM_ARRAY_TASK_ID", "1"), ("MIN", "1"), ("MAX", "7"), ("COUNT", "3"), ("STEP", "1")],
            [("SLURM_ARRAY_TASK_ID", "1")],
            [("CI_NODE_INDEX", "0"), ("CI_NODE_TOTAL", "4")], [("CI_NODE_INDEX", "5"), ("CI_NODE_TOTAL", "4")],
        ] as [[(String, String)]]
    )
    func `an environment that does not determine the part is an error`(_ variables: [(String, String)]) {
        let error = #expect(throws: VTError.self) { try ShardEnvironment(Self.environment(variables)).shard() }
        #expect(error?.code == .usage)
    }

    /// The names of Slurm's variables are abbreviated, except for the first.
    private static func environment(_ variables: [(String, String)]) -> Environment {
        Environment(
            Dictionary(
                uniqueKeysWithValues: variables.map { name, value in
                    (["MIN", "MAX", "COUNT", "STEP"].contains(name) ? "SLURM_ARRAY_TASK_\(name)" : name, value)
                }
            )
        )
    }
}
