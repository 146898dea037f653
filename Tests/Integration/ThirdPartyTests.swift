import Foundation
import TestSupport
import Testing

/// Programs that call `ssh`, with `vt exec` in its place.
@Suite(.crowded)
struct ThirdPartyTests {
    /// Runs lines of bash in the scratch directory, which is also `$1`, up to the first failure.
    private func bash(_ lab: Lab, _ scratch: ScratchDirectory, _ lines: String) async throws -> ProgramResult {
        let header = """
            set -euo pipefail
            export GIT_SSH_COMMAND="vt exec" GIT_SSH_VARIANT=simple GIT_CONFIG_GLOBAL=/dev/null
            export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b
            cd "$1"

            """
        return try await lab.vt.bash(header + lines, scratch.path)
    }

    @Test func `git clones, and pushes 50 MB`() async throws {
        let lab = try await Lab()
        let scratch = try ScratchDirectory()
        let result = try await bash(
            lab,
            scratch,
            """
            git init -q -b main --bare bare.git
            git init -q -b main work && cd work
            git commit -q --allow-empty -m first && git push -q p:"$1/bare.git" main
            git clone -q p:"$1/bare.git" ../copy && cd ../copy
            head -c 50000000 /dev/urandom >large && git add large && git commit -q -m large
            git push -q origin main
            cd .. && git clone -q p:"$1/bare.git" again
            cmp copy/large again/large
            git -C bare.git fsck --strict
            """
        )
        #expect(result.status == .exited(0), "\(result.errorText)")
    }

    @Test func `rsync copies a tree with unusual names both ways`() async throws {
        let lab = try await Lab()
        let scratch = try ScratchDirectory()
        let result = try await bash(
            lab,
            scratch,
            #"""
            mkdir -p "tree/dir with spaces" "tree/it's" && cd tree
            for name in 'a b' "quo'te" 'dou"ble' $'new\nline' $'not-\xff-utf8' -dash '*' '$HOME' 'back\slash' 'ä€'; do
                printf '%s' "$name" >"./$name"
                printf '%s' "$name" >"dir with spaces/$name"
            done
            ln -s 'a b' link
            head -c 3000000 /dev/urandom >"it's/large"
            cd ..
            rsync -a -e "vt exec" tree/ "p:$1/there and back/"
            rsync -a -e "vt exec" "p:$1/there and back/" back/
            diff -r --no-dereference tree back
            rsync -a -e "vt exec" -s "p:$1/there and back/dir with spaces/-dash" ./one
            cmp one tree/-dash
            """#
        )
        #expect(result.status == .exited(0), "\(result.errorText)")
    }
}
