/// A streaming decoder for the content codings of one body (RFC 9110 §8.4). Used on the engine thread only.
///
/// libcurl 7.88 can decode too, but accepts truncated bodies and rejects gzip files with several members (RFC 1952 §2.2).
final class ContentDecoder {
  /// The number of encoded bytes that were decoded.
  private(set) var countIn: Int64 = 0

  /// The codings in decoding order: the one that the server applied last comes first.
  private let stages: [Stage]
  /// The number of bytes decoded before a pause, which are skipped when the same input is passed again.
  private var taken = 0

  /// The maximum number of codings of one body. Only attacks have a use for longer chains.
  static let longestChain = 5

  /// One coding with its output buffer. Used on the engine thread only.
  private final class Stage {
    var coding: any ContentCoding
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 32 * 1024, alignment: 16)
    /// The range of `room` with decoded bytes that were not consumed yet.
    var ready = 0..<0

    init(_ coding: any ContentCoding) { self.coding = coding }

    deinit { room.deallocate() }
  }

  /// Makes the decoders for a body. Throws for an unknown coding or for too many codings.
  ///
  /// - Parameter field: the value of `Content-Encoding`.
  init(_ field: String) throws(TransferError) {
    var stages: [Stage] = []
    for name in field.split(separator: ",").map({ $0.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" } }) {
      switch name.lowercased() {
      case "gzip", "x-gzip": stages.append(Stage(GzipCoding()))
      case "deflate": stages.append(Stage(DeflateCoding()))
      case "br": stages.append(Stage(BrotliCoding()))
      case "zstd": stages.append(Stage(ZstandardCoding()))
      // Some servers send `none` instead of `identity`.
      case "identity", "none", "": break
      default: throw .badContentCoding("unsupported content coding \"\(name)\" (supported: \(Self.offered))")
      }
    }
    guard stages.count <= Self.longestChain else {
      throw .badContentCoding("the body has \(stages.count) content codings (at most \(Self.longestChain) are supported)")
    }
    self.stages = stages.reversed()
  }

  /// The value of `Accept-Encoding` in requests.
  static let offered = "gzip, deflate, br, zstd"

  /// Decodes bytes.
  ///
  /// - Parameters:
  ///   - bytes: encoded bytes; after a pause, the same bytes as in the previous call.
  ///   - keep: a closure that stores decoded bytes, and returns `false` when it has no room for them.
  /// - Returns: `false` if decoding has to pause because `keep` had no room.
  func decode(
    _ bytes: UnsafeRawBufferPointer, keep: (UnsafeRawBufferPointer) throws(TransferError) -> Bool
  ) throws(TransferError) -> Bool {
    var rest = UnsafeRawBufferPointer(rebasing: bytes[min(taken, bytes.count)...])
    guard let last = stages.last else { return try pass(rest, keep) }
    while try fill(stages.count - 1, &rest) {
      let decoded = UnsafeRawBufferPointer(rebasing: last.room[last.ready])
      guard try keep(decoded) else {
        taken = bytes.count - rest.count
        return false
      }
      last.ready = 0..<0
    }
    taken = 0
    return true
  }

  private func pass(
    _ bytes: UnsafeRawBufferPointer, _ keep: (UnsafeRawBufferPointer) throws(TransferError) -> Bool
  ) throws(TransferError) -> Bool {
    countIn += Int64(bytes.count)
    guard !bytes.isEmpty, try !keep(bytes) else { return true }
    // The caller passes the same bytes again after the pause, and they are counted then.
    countIn -= Int64(bytes.count)
    return false
  }

  /// Decodes until a stage has output. Returns `false` when more input is needed.
  private func fill(_ number: Int, _ rest: inout UnsafeRawBufferPointer) throws(TransferError) -> Bool {
    let stage = stages[number]
    while stage.ready.isEmpty {
      let before = number == 0 ? rest : UnsafeRawBufferPointer(rebasing: stages[number - 1].room[stages[number - 1].ready])
      let step = try stage.coding.step(before, into: stage.room)
      stage.ready = 0..<step.written
      if number == 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[step.read...])
        countIn += Int64(step.read)
      } else {
        stages[number - 1].ready.removeFirst(step.read)
      }
      guard step.read == 0, step.written == 0 else { continue }
      guard number > 0, try fill(number - 1, &rest) else { return false }
    }
    return true
  }

  /// Whether the encoded body is complete. An empty body counts as complete.
  var isComplete: Bool { countIn == 0 || stages.allSatisfy { $0.coding.isComplete && $0.ready.isEmpty } }
}

/// A streaming decoder for one content coding.
protocol ContentCoding {
  /// Whether the input so far is a complete body.
  var isComplete: Bool { get }

  /// Decodes some of the bytes. Reads and writes zero bytes when it needs more input.
  mutating func step(
    _ bytes: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
  ) throws(TransferError) -> (read: Int, written: Int)
}

extension TransferError {
  static func badContentCoding(_ problem: String) -> TransferError {
    TransferError(.cannotDecodeContentData, number: 61, stage: .body, problem: problem)
  }
}
