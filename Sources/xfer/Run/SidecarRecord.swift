import Foundation
import XferCrypto
import XferEngine

/// The contents of a sidecar: a line naming the format, a line of JSON, and a line with the checksum of the JSON.
///
/// The sidecar stores only a keyed digest of the URL, because a URL may contain secret signatures and tokens. It stores no
/// header fields, because the command that resumes the download sets its own.
struct SidecarRecord: Equatable {
  static let sizeLimit = 1 << 20
  private static let heading = "xfer.partial/1"

  let partial: PartialRecord
  private let key: String
  private let digest: String

  private struct Stored: Codable {
    let url: Digest
    let partial: PartialRecord

    struct Digest: Codable {
      let key: String
      let digest: String
    }
  }

  /// - Parameter url: The URL in the engine's canonical form.
  init(_ partial: PartialRecord, of url: String) {
    self.partial = partial
    key = AES256GCM.randomKey().hexadecimal
    digest = Self.digest(url, key: key)
  }

  /// - Returns: The record, or `nil` when the data is not a complete valid record.
  init?(_ data: Data) {
    let lines = data.split(separator: UInt8(ascii: "\n"), maxSplits: 3, omittingEmptySubsequences: false)
    // An older, longer record may have left bytes after the checksum line.
    guard lines.count == 4, lines[0].elementsEqual(Self.heading.utf8), lines[2].elementsEqual(Self.checksum(Data(lines[1])).utf8),
      let stored = try? JSONDecoder().decode(Stored.self, from: Data(lines[1]))
    else { return nil }
    (partial, key, digest) = (stored.partial, stored.url.key, stored.url.digest)
  }

  var data: Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Strings and numbers can always be encoded.
    let json = (try? encoder.encode(Stored(url: .init(key: key, digest: digest), partial: partial))) ?? Data()
    return Data("\(Self.heading)\n".utf8) + json + Data("\n\(Self.checksum(json))\n".utf8)
  }

  /// Returns whether the partial file came from this URL.
  func isOf(_ url: String) -> Bool { digest == Self.digest(url, key: key) }

  private static func digest(_ url: String, key: String) -> String {
    HMACSHA256.code(for: url.utf8, key: Array(key.utf8)).hexadecimal
  }

  private static func checksum(_ json: Data) -> String { SHA256.hash(data: json).hexadecimal }
}
