import Testing

@testable import Services

/// Handles that servers use for one or several files.
@Suite struct SFTPHandleTableTests {
    @Test func `handles that differ, or are used one after the other, are not confused`() {
        var table = SFTPHandleTable()
        let (first, second) = (table.add([1], isDirectory: false), table.add([2], isDirectory: true))
        let closings = [table.startClosing(first), table.startClosing(first)]
        #expect(closings == [true, false])
        table.remove(first)
        let third = table.add([1], isDirectory: false)
        #expect([first, second, third].allSatisfy { !table.isConfused($0) })
    }

    @Test func `a handle that is already open confuses all that are open`() {
        var table = SFTPHandleTable()
        let handles = [[1], [2], [2]].map { table.add($0, isDirectory: $0 == [1]) }
        #expect(handles.allSatisfy { table.isConfused($0) })
        #expect(table.confusedDirectories == [handles[0]])
        for handle in handles { table.remove(handle) }
        #expect(table.confusedDirectories.isEmpty)
        let later = table.add([2], isDirectory: false)
        #expect(!table.isConfused(later))
    }
}
