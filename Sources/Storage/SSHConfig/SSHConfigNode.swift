/// An element of a configuration: a line, or the files of an `Include` line.
indirect enum SSHConfigNode {
    case line(SSHConfigLine)
    case include([[SSHConfigNode]])
}
