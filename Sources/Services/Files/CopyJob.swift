import Core
import Runtime

/// Copies the same files between several pairs of machines.
package struct CopyJob: Sendable {
    private let sources: [ByteString]
    private let destination: ByteString
    private let options: CopyOptions
    private let connections: Int
    private let service: FileService
    private let clock: any Clock<Duration>

    /// `sources` are the paths of the files to copy, and may be patterns on a server; `destination` is the path of a
    /// file or directory; `connections` is the number of connections to each server for large copies.
    package init(
        _ sources: [ByteString],
        to destination: ByteString,
        _ options: CopyOptions,
        connections: Int,
        service: FileService,
        clock: any Clock<Duration>
    ) {
        self.sources = sources
        self.destination = destination
        self.options = options
        self.connections = connections
        self.service = service
        self.clock = clock
    }

    /// Copies the files from one machine to another.
    ///
    /// With `directory`, a name, the files are copied into the directory with that name in the destination; it is
    /// created if the destination is a directory. The destination is created, too, if its path ends in '/', or if the
    /// copy can be resumed.
    ///
    /// - Throws: Errors of `FileService.withFiles`, `FileSystem.files(matching:)` and `TreeCopy.copy`; `not-found` and
    ///   `cannot-create` for the directory.
    package func copy(
        from source: FileService.Place,
        to place: FileService.Place,
        directory: ByteString? = nil,
        observer: any CopyObserver
    ) async throws(VTError) {
        try await service.withFiles(of: source, connections: connections) { input throws(VTError) in
            try await service.withFiles(of: place, connections: connections) { output throws(VTError) in
                let files = try await files(in: input, of: source)
                var path = destination
                if let directory {
                    path = destination.appending(directory)
                    try await makeDirectory(path, in: output)
                }
                try await copy(from: input, to: output, isOnOneMachine: source.isSameMachine(as: place), observer)
                    .copy(files, to: path)
            }
        }
    }

    /// Writes a stream to the destination.
    ///
    /// - Throws: Errors of `FileService.withFiles` and `TreeCopy.copy`.
    package func copy(
        _ input: any ByteSource,
        to place: FileService.Place,
        observer: any CopyObserver
    ) async throws(VTError) {
        try await service.withFiles(of: place) { output throws(VTError) in
            try await copy(from: output, to: output, isOnOneMachine: true, observer).copy(input, to: destination)
        }
    }

    /// Writes the contents of the files to a sink.
    ///
    /// - Throws: Errors of `FileService.withFiles`, `FileSystem.files(matching:)` and `FileSystem.read`.
    package func write(from source: FileService.Place, to sink: any ByteSink) async throws(VTError) {
        try await service.withFiles(of: source) { input throws(VTError) in
            for file in try await files(in: input, of: source) { try await input.read(file, to: sink) }
        }
    }

    /// Passes a function to `body` that returns a new reader of the whole stream; `body` creates `count` readers.
    package func spooling<Result: Sendable>(
        _ input: any ByteSource,
        for count: Int,
        _ body: (@escaping @Sendable () -> any ByteSource) async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        let spool = SpooledInput(input, readerCount: count)
        // Not a child task, which would have to end before the result is known.
        let filling = Task.onCurrentExecutor { await spool.fill() }
        defer { filling.cancel() }
        return try await body { spool.reader() }
    }

    private func copy(
        from source: any FileSystem,
        to destination: any FileSystem,
        isOnOneMachine: Bool,
        _ observer: any CopyObserver
    ) -> TreeCopy {
        let transfer = FileTransfer(
            source: source,
            destination: destination,
            options: options,
            window: TransferWindow(),
            observer: observer,
            clock: clock
        )
        return TreeCopy(transfer: transfer, isOnOneMachine: isOnOneMachine)
    }

    /// Returns the files that the paths of the sources denote.
    private func files(in system: any FileSystem, of place: FileService.Place) async throws(VTError) -> [ByteString] {
        // On this machine, the shell has already expanded the patterns.
        guard case .remote = place else { return sources }
        var files: [ByteString] = []
        for path in sources { files += try await system.files(matching: path) }
        return files
    }

    private func makeDirectory(_ path: ByteString, in system: any FileSystem) async throws(VTError) {
        guard !options.createsParents else { return try await system.makeDirectories(path) }
        guard try await system.attributes(of: path, followsLinks: true)?.kind != .directory else { return }
        do throws(VTError) {
            try await system.makeDirectory(path, mode: 0o777)
        } catch {
            guard error.code == .notFound else { throw error }
            guard destination.namesDirectory || options.resumes else {
                let error = VTError(.notFound, "the directory '\(destination.repairedText)' does not exist")
                throw await system.explained(error, creating: path)
            }
            try await makeDestination(in: system)
            try await system.makeDirectory(path, mode: 0o777)
        }
    }

    /// Creates the directory of the destination, unless another copy of this job has created it meanwhile.
    private func makeDestination(in system: any FileSystem) async throws(VTError) {
        do throws(VTError) {
            try await system.makeDirectory(destination, mode: 0o777)
        } catch {
            guard error.code == .cannotCreate || error.code == .exists else {
                throw await system.explained(error, creating: destination)
            }
            guard try await system.attributes(of: destination, followsLinks: true)?.kind == .directory else {
                throw error
            }
        }
    }
}
