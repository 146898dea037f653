extension Emulator {
    /// Returns all rows that left the screen, and forgets them.
    package mutating func takeScrollback() -> [ScreenRow] {
        let rows = scrollbackRows(scrollbackCount)
        scrollback.clear()
        return rows
    }
}
