/// A script for sh(1) that ends the processes of a command: the shell that has announced itself
/// (`ProcessAnnouncement`), its process group, and its descendants.
///
/// It sends TERM and, to those that are still running after two seconds, KILL.
///
/// Only /proc tells which processes are descendants, and which have ended but are not reaped, as in a container whose
/// first process reaps none; without /proc, only the process group is ended. kill(1) does not distinguish a missing
/// process from one of another user (sudo) by its status, but by its message, which is the same on all systems in the C
/// locale.
package enum StopScript {
    /// What the script has achieved, by its exit status.
    package enum Result: UInt32 {
        /// No process of the command is running.
        case ended = 0
        /// A process has survived KILL, or belongs to another user.
        case survived = 1
        /// The command has no process, or those with its IDs belong to something else.
        case notFound = 2
    }

    /// Returns the request for running the script.
    package static func request(ending process: ProcessAnnouncement.Process) -> ExecRequest {
        ExecRequest(.arguments(["sh", "-c", ByteString("p=\(process.id);s=\(process.startTime);" + body)]))
    }

    /// The script after its parameters.
    ///
    /// `scan` examines processes: `all` contains those of the command found so far, `live` those that are running, and
    /// `others` those of them that are not in the process group, so that each process is sent a signal once. A child can
    /// be listed before its parent, so the first search is repeated. A search through all processes is slow, so it is
    /// repeated only when the known ones have ended, and before KILL.
    private static let body =
        #"LC_ALL=C;export LC_ALL;[ $p -gt 1 ]&&[ $p != $$ ]||exit 2;h=;[ -r /proc/$$/stat ]&&h=1;"#
        + #"all=" $p ";g="/proc/[0-9]*/stat";"#
        + #"scan(){ live=;others=;files=;for f in $1;do { read -r l <"$f";} 2>/dev/null||continue;"#
        + #"q=${l%% *};set -- ${l##*)};case $1 in Z|X)continue;;esac;"#
        + #"[ $q != $p ]||[ -z "$s" ]||[ "${20}" = "$s" ]||exit 2;"#
        + #"if [ "$3" != $p ];then case $all in *" $q "*|*" $2 "*);;*)continue;;esac;others="$others $q";fi;"#
        + #"live="$live $q";files="$files $f";case $all in *" $q "*);;*)all="$all$q ";;esac;done;};"#
        + #"send(){ kill -$1 -$p $others 2>/dev/null;};"#
        + #"gone(){ scan "$files";[ -z "$live" ]||return 1;scan "$g";[ -z "$live" ]||{ send TERM;return 1;};"#
        + #"e=$(kill -0 -$p 2>&1)&&{ [ $h ];return;};"#
        + #"case $e in *"o such process"*)[ $h ]||! kill -0 $p 2>/dev/null;;*)return 1;;esac;};"#
        + #"a=;while [ "$a" != "$all" ];do a=$all;scan "$g";done;[ $h ]&&[ -z "$live" ]&&exit 2;send TERM;n=0;"#
        + #"until gone;do [ $n -ge 30 ]&&exit 1;[ $n -ge 20 ]&&{ scan "$g";send KILL;};"#
        + #"n=$((n+1));sleep .1 2>/dev/null||{ sleep 1;n=$((n+9));};done"#
}
