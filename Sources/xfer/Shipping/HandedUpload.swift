/// An upload that `xferd` carries out, as its task describes it.
struct HandedUpload: Equatable, Sendable {
  /// The segment's number.
  let number: UInt32
  /// The object's name below the destination.
  let key: String
  /// The SHA-256 digest of the copy, in hexadecimal.
  let digest: String
  /// The size of the copy, in bytes.
  let size: Int64
  /// Whether the copy has all events of the segment.
  let isWhole: Bool
  /// The name of the copy in the outbox.
  let file: String
}

extension HandedUpload {
  var metadata: [String: String] {
    ["segment": "\(number)", "object": key, "sha256": digest, "size": "\(size)", "whole": "\(isWhole)", "file": file]
  }

  /// Returns `nil` for the metadata of another task.
  init?(_ metadata: [String: String]) {
    guard let number = metadata["segment"].flatMap({ UInt32($0) }), let key = metadata["object"], let digest = metadata["sha256"],
      let size = metadata["size"].flatMap({ Int64($0) }), let isWhole = metadata["whole"].flatMap({ Bool($0) }),
      let file = metadata["file"], !file.contains("/")
    else { return nil }
    self.init(number: number, key: key, digest: digest, size: size, isWhole: isWhole, file: file)
  }
}

extension ShipJournal {
  /// Notes the end of an upload. The object of an upload that was not confirmed may be stored or not.
  mutating func note(_ upload: HandedUpload, isConfirmed: Bool) {
    guard let entry = segments[upload.number], entry.state == .handed, entry.digest == upload.digest else { return }
    segments[upload.number]?.state = !isConfirmed ? .begun : upload.isWhole ? .whole : .part
  }

  /// Whether `xferd` may have results of uploads.
  var awaitsResults: Bool { segments.values.contains { $0.state == .handed } }
}
