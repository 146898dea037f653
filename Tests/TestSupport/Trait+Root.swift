import Foundation
import Testing

extension Trait where Self == ConditionTrait {
    /// Skips tests that change owners, mounts or limits of other users, unless they run as root.
    package static var asRoot: Self { .enabled(if: geteuid() == 0, "only root may do what this test does") }
}
