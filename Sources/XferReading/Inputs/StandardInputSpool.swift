import CXferPlatform
import XferEvents
import XferImport
import XferLogStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A temporary file with a copy of standard input, because segments are read by position. The file is removed with this object.
final class StandardInputSpool {
  let path: String
  private(set) var count = 0
  /// The index of the importer that recognised standard input; `nil` when standard input is a segment or empty.
  private(set) var importer: Int?
  /// The kind of archive; `nil` if standard input is not compressed.
  private(set) var archive: UnpackedArchive.Kind?
  private let importers: [any EventImporter]

  init(_ context: any ReadingContext) throws {
    importers = context.importers
    let directory = xp_variable("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(directory)/xferlog-stdin-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    guard descriptor >= 0 else { throw Self.failure("a temporary file in \(directory) cannot be created") }
    defer { close(descriptor) }
    do {
      try fill(descriptor, from: context.input)
    } catch {
      unlink(path)
      throw error
    }
  }

  deinit { unlink(path) }

  /// Copies standard input. An unknown format is rejected after the first bytes, because standard input may never end.
  private func fill(_ descriptor: Int32, from input: Int32) throws {
    try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { bytes in
      var filled = 0
      while true {
        try Interruption.check()
        let got = read(input, bytes.baseAddress.map { $0 + filled }, bytes.count - filled)
        if got < 0 {
          if errno == EINTR { continue }
          throw Self.failure("standard input cannot be read")
        }
        filled += got
        let received = UnsafeRawBufferPointer(rebasing: bytes[..<filled])
        // The first bytes may arrive one by one, so read until they suffice to recognise the format.
        if count == 0, try !isRecognised(received, isEnd: got == 0) { continue }
        guard importer != nil || archive != nil || count + filled <= LogRecognition.largestSegment else {
          let limit = ByteCount(Int64(LogRecognition.largestSegment))
          throw CommandExit(.failed, "standard input is larger than \(limit), the maximum size of a segment")
        }
        try put(received, to: descriptor)
        count += filled
        filled = 0
        if got == 0 { return }
      }
    }
  }

  /// The first bytes are neither those of a segment nor of a format that an importer reads.
  struct NotRecognised: Error {
    /// The first bytes, at most `ImportCandidate.headSize`.
    let head: [UInt8]
  }

  /// - Returns: whether the format is known; `false` if more bytes are needed to decide.
  private func isRecognised(_ head: UnsafeRawBufferPointer, isEnd: Bool) throws -> Bool {
    if head.isEmpty { return isEnd }
    if head.count < 8, !isEnd { return false }
    if LogRecognition.isSegment(beginningWith: head) { return true }
    archive = importers.isEmpty ? nil : UnpackedArchive.kind(beginningWith: head)
    if archive != nil { return true }
    if !importers.isEmpty, head.count < ImportCandidate.headSize, !isEnd { return false }
    let candidate = ImportCandidate(.file, path: "-", head: Array(head.prefix(ImportCandidate.headSize)))
    importer = importers.firstIndex { $0.recognises(candidate) }
    if importer == nil {
      if FencedBlocks.begin(in: candidate.head) {
        archive = .markdown
      } else {
        guard let quoted = QuotedText(candidate.head, for: importers) else { throw NotRecognised(head: candidate.head) }
        archive = .quoted(quoted)
      }
    }
    return true
  }

  private func put(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws {
    var offset = 0
    while offset < bytes.count {
      let put = write(descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
      if put < 0, errno == EINTR { continue }
      if put < 0 { throw Self.failure("\(path) cannot be written") }
      offset += put
    }
  }

  private static func failure(_ problem: String) -> CommandExit {
    CommandExit(.failed, "\(problem): \(String(cString: strerror(errno)))")
  }
}
