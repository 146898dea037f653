/// One occurrence of an option, for commands to which the order of options and operands matters.
package struct OptionOccurrence: Sendable {
    package let long: String
    /// Nil for a flag.
    package let value: String?
    /// The number of words of operands before this occurrence.
    package let operandsBefore: Int
}
