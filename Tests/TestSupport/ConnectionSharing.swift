import Testing

/// Runs each test twice: with a connection for each command, and with connections that commands share.
package struct ConnectionSharing: TestTrait, SuiteTrait, TestScoping {
    @TaskLocal static var isEnabled = false

    package let isRecursive = true

    @concurrent package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await function()
        guard testCase != nil else { return }
        let explained = IssueHandlingTrait.compactMapIssues { issue in
            var issue = issue
            issue.comments.append("with shared connections")
            return issue
        }
        try await explained.provideScope(for: test, testCase: testCase) {
            try await Self.$isEnabled.withValue(true) { try await function() }
        }
    }
}

extension Trait where Self == ConnectionSharing {
    /// Runs each test twice: with a connection for each command, and with connections that commands share.
    package static var sharing: Self { ConnectionSharing() }
}
