import Core

/// The handles that are open in a session.
///
/// Some servers use a handle for two files that are open at the same time, as Erlang's ssh_sftpd does with the third
/// file. What is read from either of them, or written to it, can then be that of the other.
struct SFTPHandleTable {
    private struct Entry {
        let isDirectory: Bool
        var isClosing = false
    }

    private var entries: [SFTPHandle: Entry] = [:]
    /// The number of open files and directories with the same handle.
    private var uses: [[UInt8]: Int] = [:]
    private var confused: Set<SFTPHandle> = []
    private var nextSerial: UInt64 = 0

    /// Adds a handle that the server has sent.
    ///
    /// If it is already open, all open handles are confused: only one file may be open at a time from then on.
    mutating func add(_ bytes: [UInt8], isDirectory: Bool) -> SFTPHandle {
        nextSerial += 1
        let handle = SFTPHandle(bytes: bytes, serial: nextSerial)
        entries[handle] = Entry(isDirectory: isDirectory)
        uses[bytes, default: 0] += 1
        if uses[bytes] != 1 { confused.formUnion(entries.keys) }
        return handle
    }

    /// Returns whether a handle is to be closed, which has not been closed before.
    mutating func startClosing(_ handle: SFTPHandle) -> Bool {
        guard entries[handle]?.isClosing == false else { return false }
        entries[handle]?.isClosing = true
        return true
    }

    /// Removes a handle that the server has closed.
    mutating func remove(_ handle: SFTPHandle) {
        guard entries.removeValue(forKey: handle) != nil, let count = uses[handle.bytes] else { return }
        uses[handle.bytes] = count > 1 ? count - 1 : nil
    }

    /// Whether what is read from a handle, or written to it, can be that of another file.
    func isConfused(_ handle: SFTPHandle) -> Bool {
        confused.contains(handle)
    }

    /// The confused handles of directories, which can stay open although they are not being read.
    var confusedDirectories: [SFTPHandle] {
        confused.isEmpty ? [] : entries.filter { $0.value.isDirectory && confused.contains($0.key) }.map(\.key)
    }
}
