/// Searches for subsequences.
///
/// The standard library has these functions, too, but in a module with the engine for regular expressions, which
/// enlarges a static executable by about a megabyte. They are inlinable so that other modules specialize them.
extension Collection where Element: Equatable {
    /// The first range whose elements are those of `other`; if `other` is empty, the range before the first element.
    @inlinable package func firstRange(of other: some Collection<Element>) -> Range<Index>? {
        var start = startIndex
        while true {
            var (index, rest) = (start, other.makeIterator())
            while true {
                guard let next = rest.next() else { return start..<index }
                guard index != endIndex else { return nil }
                guard self[index] == next else { break }
                formIndex(after: &index)
            }
            formIndex(after: &start)
        }
    }

    @inlinable package func contains(_ other: some Collection<Element>) -> Bool {
        firstRange(of: other) != nil
    }

    /// Splits at each occurrence of `separator`, which is not empty.
    @inlinable package func split(
        separator: some Collection<Element>,
        omittingEmptySubsequences: Bool = true
    ) -> [SubSequence] {
        var (parts, rest) = ([SubSequence](), self[...])
        while let range = rest.firstRange(of: separator) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        parts.append(rest)
        return omittingEmptySubsequences ? parts.filter { !$0.isEmpty } : parts
    }
}

extension RangeReplaceableCollection where Element: Equatable {
    /// Replaces each occurrence of `other`, which is not empty.
    @inlinable package func replacing(_ other: some Collection<Element>, with replacement: some Collection<Element>)
        -> Self
    {
        var (result, rest) = (Self(), self[...])
        while let range = rest.firstRange(of: other) {
            result.append(contentsOf: rest[..<range.lowerBound])
            result.append(contentsOf: replacement)
            rest = rest[range.upperBound...]
        }
        result.append(contentsOf: rest)
        return result
    }
}
