/// Undoes the content codings of one body (RFC 9110 §8.4) while its bytes come. Engine thread only.
///
/// libcurl 7.88 does the same, but takes a body that ends within its coding for a whole one, and refuses gzip of several members
/// (RFC 1952 §2.2).
final class ContentDecoder {
  /// Bytes of the body that were decoded.
  private(set) var countIn: Int64 = 0

  /// The last that was applied comes first.
  private let stages: [Stage]
  /// Of the bytes that are handed in again after a pause: how many were decoded before it.
  private var taken = 0

  /// More are an attack, not compression.
  static let longestChain = 5

  /// One coding and what it has decoded; engine thread only.
  private final class Stage {
    var coding: any ContentCoding
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 32 * 1024, alignment: 16)
    /// Of the room: decoded, and taken by nobody.
    var ready = 0..<0

    init(_ coding: any ContentCoding) { self.coding = coding }

    deinit { room.deallocate() }
  }

  /// - Parameter field: the values of `Content-Encoding`; throws when it names a coding that is not known, or too many.
  init(_ field: String) throws(TransferError) {
    var stages: [Stage] = []
    for name in field.split(separator: ",").map({ $0.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" } }) {
      switch name.lowercased() {
      case "gzip", "x-gzip": stages.append(Stage(GzipCoding()))
      case "deflate": stages.append(Stage(DeflateCoding()))
      case "br": stages.append(Stage(BrotliCoding()))
      case "zstd": stages.append(Stage(ZstandardCoding()))
      // The second is what some servers mean by the first.
      case "identity", "none", "": break
      default: throw .badContentCoding("the content coding \(name) is not known")
      }
    }
    guard stages.count <= Self.longestChain else {
      throw .badContentCoding("the body has \(stages.count) codings; \(Self.longestChain) are the most that are undone")
    }
    self.stages = stages.reversed()
  }

  /// What is sent in `Accept-Encoding`.
  static let offered = "gzip, deflate, br, zstd"

  /// Decodes bytes.
  ///
  /// - Parameters:
  ///   - bytes: after a pause those that were handed in last, once more.
  ///   - keep: is given the decoded ones, and returns `false` when it has no room for them now.
  /// - Returns: `false` for a pause.
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
    // They come again.
    countIn -= Int64(bytes.count)
    return false
  }

  /// Sees to it that a stage has decoded bytes; `false` when that takes more than there are.
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

  /// Whether the body may end here. One without any bytes is none that was coded.
  var isComplete: Bool { countIn == 0 || stages.allSatisfy { $0.coding.isComplete && $0.ready.isEmpty } }
}

/// One coding, undone.
protocol ContentCoding {
  /// Whether what came so far is whole.
  var isComplete: Bool { get }

  /// Decodes some of the bytes; neither reads nor writes any when it needs more.
  mutating func step(
    _ bytes: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
  ) throws(TransferError) -> (read: Int, written: Int)
}

extension TransferError {
  static func badContentCoding(_ problem: String) -> TransferError {
    TransferError(.cannotDecodeContentData, number: 61, stage: .body, problem: problem)
  }
}
