import Core
import Foundation
import Glibc
import System
import TestSupport
import Testing

struct TreeDirectoryTests {
    private let scratch: ScratchDirectory
    private let root: TreeDirectory

    init() throws {
        scratch = try ScratchDirectory()
        try scratch.makeDirectory("tree/d/e")
        try scratch.makeDirectory("outside/e")
        try scratch.write("in", to: "tree/d/f")
        try scratch.write("out", to: "outside/f", mode: 0o600)
        symlink("../outside", scratch.path("tree/link"))
        symlink("../../outside/f", scratch.path("tree/d/file"))
        symlink("d", scratch.path("tree/inner"))
        root = try #require(try TreeDirectory(root: scratch.path("tree")))
    }

    @Test func `directories are found below a directory`() throws {
        #expect(try root.directory("")?.status().st_ino == root.status().st_ino)
        #expect(try root.directory("d/e")?.entries().map(\.name) == [])
        #expect(try root.directory("d")?.entries().map(\.name).map(\.repairedText).sorted() == ["e", "f", "file"])
    }

    @Test(arguments: ["link", "link/e", "inner", "inner/e", "none", "d/none/x", "d/f", "d/f/x"])
    func `no link is followed`(_ path: String) throws {
        #expect(try root.directory(ByteString(path)) == nil)
    }

    @Test(arguments: ["..", "d/../../outside", "/tmp"])
    func `a path does not lead out`(_ path: String) throws {
        #expect(throws: VTError.self) { try root.directory(ByteString(path)) }
    }

    @Test func `a link in the path of the root is not followed`() throws {
        #expect(try TreeDirectory(root: scratch.path("tree/link")) == nil)
        #expect(try TreeDirectory(root: scratch.path("none")) == nil)
    }

    @Test func `a directory remains the same when its path leads elsewhere`() throws {
        let directory = try #require(try root.directory("d"))
        try FileManager.default.moveItem(atPath: scratch.path("tree/d"), toPath: scratch.path("tree/moved"))
        symlink(scratch.path("outside"), scratch.path("tree/d"))
        _ = try directory.create("new")
        try directory.remove("f")
        try directory.setMode(0o700)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path("outside")).sorted() == ["e", "f"])
        #expect(FileManager.default.fileExists(atPath: scratch.path("tree/moved/new")))
    }

    @Test func `the mode of a file is set only if it is the expected one, and no link`() throws {
        let directory = try #require(try root.directory("d"))
        let (file, link) = try (#require(try directory.status("f")), #require(try directory.status("file")))
        #expect(try directory.setMode("f", 0o640, of: FileVersion(file)))
        #expect(try directory.status("f").map { $0.st_mode & 0o7777 } == 0o640)
        #expect(try !directory.setMode("f", 0o600, of: FileVersion(file)))
        #expect(try !directory.setMode("file", 0o644, of: FileVersion(link)))
        #expect(try !directory.setMode("none", 0o644, of: FileVersion(file)))
        var outside = stat()
        #expect(stat(scratch.path("outside/f"), &outside) == 0 && outside.st_mode & 0o7777 == 0o600)
    }

    @Test func `files are moved without replacing others`() throws {
        let (d, e) = try (#require(try root.directory("d")), #require(try root.directory("d/e")))
        _ = try e.create("f")
        #expect(try !d.move("f", to: e, as: "f"))
        #expect(try d.move("f", to: e, as: "g"))
        #expect(try e.exchange("f", with: e, "g"))
        #expect(e.contents("f", limit: 9) == Array("in".utf8))
        #expect(e.contents("g", limit: 9) == [])
        #expect(d.contents("file", limit: 9) == nil)
    }

    /// A kernel without openat2(2) and fchmodat2(2).
    @Test func `older kernels have the same effect`() async throws {
        let main = """
            #include "ctree.h"
            #include <errno.h>
            #include <fcntl.h>
            #include <stdio.h>
            #include <sys/stat.h>
            #include <unistd.h>
            int main(int count, char **words) {
                int root = open(words[1], O_PATH | O_DIRECTORY), opened;
                for (int index = 2; index < count; index++) {
                    opened = -1;
                    int failure = ctree_open(root, words[index], index % 2, &opened);
                    printf("%s %d\\n", words[index], failure == ELOOP ? ENOTDIR : failure);
                    if (failure == 0) close(opened);
                }
                struct stat status;
                int file = openat(root, "d/f", O_PATH);
                printf("%d ", ctree_set_mode(file, 0604));
                fstat(file, &status);
                printf("%o\\n", status.st_mode);
                return ctree_set_mode(openat(root, "link", O_PATH | O_NOFOLLOW), 0600) == 0;
            }

            """
        let old = """
            #define _GNU_SOURCE
            #include <sys/syscall.h>
            #undef SYS_openat2
            #define SYS_openat2 9999
            #undef SYS_fchmodat2
            #define SYS_fchmodat2 9999

            """
        let sources = "\(TestTree.root)/Sources/CLinux"
        let paths = [".", "d", "d/e", "d//e/", "link", "link/e", "inner/e", "none", "d/f/x", "..", "d/../..", "a/../b"]
        var outputs: [String] = []
        for (name, start) in [("new", "#define _GNU_SOURCE\n"), ("old", old)] {
            let source = try scratch.write("\(start)#include \"ctree.c\"\n\(main)", to: "\(name).c")
            let words = ["-Wno-macro-redefined", "-I\(sources)", "-I\(sources)/include", source]
            let program = scratch.path(name)
            let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
            try await ProgramCall("clang", words + ["-o", program], environment: ["PATH": path]).check()
            outputs.append(try await ProgramCall(program, [scratch.path("tree")] + paths).check())
        }
        #expect(outputs[0] == outputs[1])
        #expect(outputs[0].hasSuffix("0 100604\n"))
    }
}
