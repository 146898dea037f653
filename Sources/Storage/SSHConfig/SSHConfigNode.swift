import Core

/// An element of a configuration: a line, or the files of an `Include` line.
indirect enum SSHConfigNode {
    case line(SSHSetting)
    case include([[SSHConfigNode]])
}
