import Commands
import Core
import Glibc
import Runtime
import SecureShell
import SessionHost
import System

@main
enum Main {
    /// Runs the command line on this thread; other threads only wait for signals and make blocking calls.
    static func main() {
        if !calledAsSSH, let plugin = CompositionRoot.plugin(arguments) {
            fail(plugin.execute(arguments.dropFirst()), for: arguments)
        }
        StandardStream.occupyClosed()
        // A write beyond `ulimit -f` fails instead, so that no partial file is left. Programs that are started get the
        // default action again.
        signal(SIGXFSZ, SIG_IGN)
        let arguments = calledAsSSH ? [ByteString(SSHCommand.word)] + arguments : arguments
        if let holder = CompositionRoot.holder(arguments) { exit(CInt(holder.run())) }
        LinuxProcess.keepStreamBuffers()
        let executor: LoopExecutor
        do throws(VTError) {
            guard FileDescriptor.areFree(minimumDescriptors) else { throw FileDescriptor.tooMany }
            executor = try LoopExecutor()
        } catch {
            fail(error, for: arguments)
        }
        let root = CompositionRoot(executor: executor)
        if let muxServer = root.muxServer(arguments) {
            Task(executorPreference: executor) { exit(CInt(await muxServer.run())) }
            executor.run()
        }
        let runner = root.makeRunner()
        Task(executorPreference: executor) {
            switch await runner.run(arguments) {
            case .status(let status): exit(CInt(status))
            case .signal(let signal): SignalThread.die(of: signal)
            }
        }
        executor.run()
    }

    /// Reports an error that prevents a command line from running.
    private static func fail(_ error: VTError, for arguments: [ByteString]) -> Never {
        let (text, status) = CommandRunner.report(error, for: arguments)
        // A failure to write the report cannot be reported.
        try? StandardStream.errorOutput.write(Array(text.utf8))
        exit(CInt(status))
    }

    /// The number of descriptors, besides the standard streams, that a command with one connection needs.
    private static let minimumDescriptors = 8

    /// Whether the program was called by a name under which it behaves like `vt ssh`.
    private static var calledAsSSH: Bool {
        guard let word = unsafe Swift.CommandLine.unsafeArgv[0] else { return false }
        let name = unsafe String(cString: word)
        return SSHCommand.programNames.contains { name == $0 || name.hasSuffix("/\($0)") }
    }

    /// The arguments after the program name, byte for byte.
    private static var arguments: [ByteString] {
        let words = UnsafeBufferPointer(start: Swift.CommandLine.unsafeArgv, count: Int(Swift.CommandLine.argc))
        return words.dropFirst().compactMap { word in
            word.map { ByteString(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
        }
    }
}
