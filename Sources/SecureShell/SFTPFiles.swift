import Core

/// The files of a server, accessed through a connection's SFTP session.
struct SFTPFiles: RemoteFiles {
    let connection: SSHConnection

    func status(of path: String) async throws(VTError) -> RemoteFileStatus? {
        try await connection.fileStatus(of: path)
    }

    func makeDirectory(_ path: String, mode: UInt16) async throws(VTError) {
        try await connection.makeDirectory(path, mode: mode)
    }

    func create(_ path: String, mode: UInt16, from source: any ByteSource) async throws(VTError) {
        try await connection.createFile(path, mode: mode, from: source)
    }

    func remove(_ path: String) async throws(VTError) {
        try await connection.removeFile(path)
    }
}
