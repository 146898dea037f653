/// Content that appears and disappears in an animation.
struct AnimationItem {
    /// The index of the row or element that is shown.
    let content: Int
    /// The frames at which the content appears, disappears, appears again and so on.
    var switches: [Int32]

    /// The CSS classes of the content: one if it is visible at the end, one for its animation.
    func classes(_ keyframes: inout Keyframes) -> [String] {
        let name = keyframes.name(for: switches)
        return (switches.count % 2 == 1 ? ["_"] : []) + (name.map { [$0] } ?? [])
    }
}
