// swift-format-ignore-file
// Generated from Vocabulary by `xferlog-dev generate`; changes made here are lost.

import XferEvents

extension EventLayout {
  /// The checksum of the layouts of all events that this build knows.
  static let knownDigest: UInt32 = 0x2963028a

  /// The checksums of the earlier versions of the vocabulary, from version 1 on.
  static let earlierDigests: [UInt32] = [0x508b29ab, 0x8e2c80c9, 0xb18d984e, 0x173dab86]
}
