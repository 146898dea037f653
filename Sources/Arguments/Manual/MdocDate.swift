/// Dates in the format of the `.Dd` macro of mdoc(7).
enum MdocDate {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// Turns `2026-11-21` into `November 21, 2026`; other text is returned unchanged.
    static func text(_ date: String) -> String {
        let parts = date.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, months.indices.contains(parts[1] - 1) else { return date }
        return "\(months[parts[1] - 1]) \(parts[2]), \(parts[0])"
    }
}
