import Core

extension Screen {
    /// What is to be seen of the screen, on a terminal of this size: blank where it is larger, and without what is told
    /// elsewhere, such as the title.
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
