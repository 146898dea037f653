import Core

extension Screen {
    /// The visible part of the screen on a terminal of a different size: padded with blanks if the terminal is larger,
    /// and without other state such as the title.
    package func picture(of size: TerminalSize) -> Screen {
        var screen = self
        screen.size = size
        let blank = ScreenRow(cells: [], isWrapped: false, marks: [], size: .single)
        screen.rows = Array(rows.prefix(size.rows))
        screen.rows += repeatElement(blank, count: size.rows - screen.rows.count)
        screen.title = ""
        screen.workingDirectory = nil
        screen.promptState = PromptState()
        return screen
    }
}
