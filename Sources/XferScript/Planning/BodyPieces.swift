internal import NIOCore

/// The bytes of a body as they go over the wire, piece by piece, up to where the body is cut.
struct BodyPieces {
  struct Piece {
    /// In order, none empty.
    var buffers: [ByteBuffer] = []
    /// Body bytes among them, chunk framing not counted.
    var bodyBytes = 0
  }

  private let entity: Entity
  private let slice: Range<Int>
  private let framing: ResponsePlan.Framing
  private let pieceSize: Int
  /// Body bytes after which nothing follows, not even framing; `nil` when the body is whole.
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

  /// Body bytes that are to be sent.
  var count: Int { limit ?? slice.count }

  /// Body bytes of the next piece.
  var nextCount: Int { min(pieceSize, count - position) }

  var isCut: Bool { limit != nil }

  /// `nil` at the end.
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

  /// The chunk of size zero and the trailers, where the chunking is sound.
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
