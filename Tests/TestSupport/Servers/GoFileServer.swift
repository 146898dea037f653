import Foundation
import Synchronization

/// The SFTP server of the Go package github.com/pkg/sftp, as a subsystem for sshd.
package enum GoFileServer {
    /// The path of the program, which is compiled once and shared by all tests of a run.
    package static func path() async throws -> String {
        try await sharedPath.value
    }
}

private let sharedPath = Task {
    let scratch = try ScratchDirectory()
    sharedScratch.withLock { $0 = scratch }
    // Global objects are never released, so remove the directory at exit.
    atexit { sharedScratch.withLock { $0 = nil } }
    let program = scratch.path("go-sftp")
    let environment = [
        "PATH": ProgramCall.searchPath, "HOME": scratch.path, "GOCACHE": scratch.path("cache"), "GO111MODULE": "off",
        "GOPATH": "/usr/share/gocode", "GOFLAGS": "-buildvcs=false",
    ]
    let words = ["build", "-o", program, "github.com/pkg/sftp/server_standalone"]
    try await ProgramCall("go", words, environment: environment).check()
    return program
}

private let sharedScratch = Mutex<ScratchDirectory?>(nil)
