internal import NIOCore

/// Splits a response body into the pieces that are written to the connection, up to the point where the script cuts the body.
struct BodyPieces {
  struct Piece {
    /// The buffers to write, in order. No buffer is empty.
    var buffers: [ByteBuffer] = []
    /// The number of body bytes in the buffers, excluding chunk framing.
    var bodyBytes = 0
  }

  private let entity: Entity
  private let slice: Range<Int>
  private let framing: ResponsePlan.Framing
  private let pieceSize: Int
  /// The number of body bytes to send before the script cuts the response. `nil` means the whole body is sent.
  private let limit: Int?
  private var position = 0
  private var isFinished = false

  init(_ plan: ResponsePlan) {
    entity = plan.entity
    slice = plan.slice
    framing = plan.framing
    switch plan.cut?.place {
    case .afterBodyBytes(let count) where count <= slice.count: limit = count
    case .midBody: limit = slice.count / 2
    default: limit = nil
    }
    pieceSize =
      switch plan.framing {
      case .chunked(let chunking): chunking.size
      case .plain(let size): plan.rate.map { max(1, min(size, $0 / 20)) } ?? size
      }
  }

  /// The number of body bytes to send.
  var count: Int { limit ?? slice.count }

  /// The number of body bytes in the next piece.
  var nextCount: Int { min(pieceSize, count - position) }

  var isCut: Bool { limit != nil }

  /// Returns the next piece, or `nil` at the end of the body.
  mutating func next() -> Piece? {
    while !isFinished {
      if position == count, limit != nil || !isChunked {
        isFinished = true
      } else if position == slice.count {
        isFinished = true
        if let end = chunkedEnd() { return end }
      } else {
        return nextData()
      }
    }
    return nil
  }

  private var isChunked: Bool { if case .chunked = framing { true } else { false } }

  private mutating func nextData() -> Piece {
    let whole = min(pieceSize, slice.count - position)
    let sent = nextCount
    var piece = Piece(bodyBytes: sent)
    if case .chunked(let chunking) = framing {
      let isLast = position + whole == slice.count
      piece.buffers.append(ByteBuffer(string: chunking.sizeLine(of: whole, isLast: isLast)))
    }
    let start = slice.lowerBound + position
    entity.forEachRun(in: start..<(start + sent)) { run in
      if run.readableBytes > 0 { piece.buffers.append(run) }
    }
    position += sent
    if case .chunked(let chunking) = framing, sent == whole, position < slice.count || !chunking.dropsLastLineEnd,
      position != limit
    {
      piece.buffers.append(ByteBuffer(string: "\r\n"))
    }
    return piece
  }

  /// Returns the final zero-size chunk and the trailers, or `nil` when the script's malformed chunking leaves them out.
  private func chunkedEnd() -> Piece? {
    guard case .chunked(let chunking) = framing, chunking.malformed == nil || chunking.malformed == .missingLineEnd else {
      return nil
    }
    var text = "0\r\n"
    for field in chunking.trailers.fields { text += "\(field.name): \(field.value)\r\n" }
    return Piece(buffers: [ByteBuffer(string: text + "\r\n")])
  }
}

extension ScriptedResponse.Chunking {
  fileprivate func sizeLine(of count: Int, isLast: Bool) -> String {
    switch malformed {
    case .badSize where isLast: "zz\r\n"
    case .hugeSize where isLast: "fffffffffffffffff\r\n"
    case .shortChunk where isLast: String(count + 1, radix: 16) + "\r\n"
    default: String(count, radix: 16) + "\r\n"
    }
  }

  fileprivate var dropsLastLineEnd: Bool { malformed == .missingLineEnd || malformed == .shortChunk }
}
