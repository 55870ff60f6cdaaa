import XferEvents
import XferLogStore

/// The Swift source of the checksums of the vocabulary's versions.
enum DigestSources {
  static func file() -> GeneratedFile {
    let digests = (1...Vocabulary.version).map { "0x" + String(EventLayout.digest(version: $0), radix: 16) }
    return GeneratedFile(
      path: "Sources/XferLogStore/Generated/Vocabulary+Generated.swift",
      text: """
        // swift-format-ignore-file
        // Generated from Vocabulary by `xferlog-dev generate`; changes made here are lost.

        import XferEvents

        extension EventLayout {
          /// The checksum of the layouts of all events that this build knows.
          static let knownDigest: UInt32 = \(digests.last ?? "0")

          /// The checksums of the earlier versions of the vocabulary, from version 1 on.
          static let earlierDigests: [UInt32] = [\(digests.dropLast().joined(separator: ", "))]
        }

        """)
  }
}
