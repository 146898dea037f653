/// Turns speech into text: a server, or a program on this machine.
package protocol SpeechEngine: Sendable {
    /// Returns the text as the engine has written it, which is untrusted. Observes cancellation.
    ///
    /// - Throws: `data.invalid` for audio that the engine cannot use; `host.unresolved`, `host.unreachable`,
    ///   `auth.denied` and `protocol` for servers; `not-found` and `io` for programs.
    func text(of audio: SpeechAudio) async throws(VTError) -> String
}

/// A recording of speech.
package struct SpeechAudio: Sendable {
    /// The properties of uncompressed audio with 16 bits per sample.
    package struct Samples: Hashable, Sendable {
        package var channels: Int
        /// Samples per second in each channel.
        package var rate: Int
        package var duration: Duration

        package init(channels: Int, rate: Int, duration: Duration) {
            self.channels = channels
            self.rate = rate
            self.duration = duration
        }
    }

    /// The name in messages.
    package var name: String
    /// The contents of the file, in order.
    package var parts: [StoredBytes]
    /// The extension of the file, and its media type.
    package var fileExtension: String
    package var mediaType: String
    /// Nil for formats that vt does not read.
    package var samples: Samples?

    package init(name: String, parts: [StoredBytes], fileExtension: String, mediaType: String, samples: Samples?) {
        self.name = name
        self.parts = parts
        self.fileExtension = fileExtension
        self.mediaType = mediaType
        self.samples = samples
    }
}
