extension ScriptedResponse {
  /// What `Content-Length` says.
  public enum ContentLength: Sendable, Equatable {
    /// The number of body bytes, or no field where the body is chunked.
    case automatic
    /// No field: an unchunked body ends when the connection does.
    case none
    /// This number, right or wrong, chunked or not.
    case value(Int)
  }

  public struct Chunking: Sendable, Equatable {
    /// Body bytes in a chunk; the last has what remains.
    public var size: Int
    /// Time between two chunks.
    public var delay: Duration
    /// Announced in `Trailer`, sent after the last chunk.
    public var trailers: ScriptHeaders
    public var malformed: Malformation?

    public init(
      size: Int = 16 << 10, delay: Duration = .zero, trailers: ScriptHeaders = [:], malformed: Malformation? = nil
    ) {
      self.size = size
      self.delay = delay
      self.trailers = trailers
      self.malformed = malformed
    }

    /// A breach of the chunked coding, after which the connection is closed.
    public enum Malformation: String, Sendable, CaseIterable {
      /// The zero-sized chunk that ends the body is left out.
      case missingFinal = "missing-final"
      /// The size of the last chunk with data is `zz`.
      case badSize = "bad-size"
      /// The size of the last chunk with data does not fit into 64 bits.
      case hugeSize = "huge-size"
      /// The last chunk with data announces one byte more than it has, and nothing follows.
      case shortChunk = "short-chunk"
      /// No line end follows the data of the last chunk.
      case missingLineEnd = "missing-line-end"
    }
  }

  public struct Pieces: Sendable, Equatable {
    /// Body bytes in one write; the last has what remains.
    public var size: Int
    /// Time between two writes.
    public var delay: Duration

    public init(size: Int, delay: Duration = .zero) {
      self.size = size
      self.delay = delay
    }
  }

  public struct Delays: Sendable, Equatable {
    /// From the whole request to the first byte of the response.
    public var beforeStatus: Duration
    /// From the response's head to the first byte of its body.
    public var beforeBody: Duration

    public init(beforeStatus: Duration = .zero, beforeBody: Duration = .zero) {
      self.beforeStatus = beforeStatus
      self.beforeBody = beforeBody
    }
  }

  /// Where a response breaks off, and how.
  public struct Cut: Sendable, Equatable {
    public enum Place: Sendable, Equatable {
      case beforeStatus
      /// After half of the head's bytes.
      case midHeaders
      case afterHeaders
      /// After half of the body's bytes.
      case midBody
      /// After exactly this many body bytes, chunk framing not counted. A response with fewer is not cut.
      case afterBodyBytes(Int)
      /// After the whole response, without a word to the client.
      case afterBody
      /// While the request's body still arrives: as soon as this many bytes of it are here. A shorter one is not cut.
      case afterRequestBytes(Int)
    }

    public enum Manner: String, Sendable, CaseIterable {
      /// FIN: the client reads everything that was sent, then the end.
      case close
      /// RST, sent once the client's kernel has everything that was sent.
      case reset
      /// Silence, until the client goes away or the server stops.
      case hang
    }

    public var place: Place
    public var how: Manner

    public init(_ place: Place, _ how: Manner = .close) {
      self.place = place
      self.how = how
    }
  }

  /// What the server does for `Range`. All but `ignore` announce `Accept-Ranges: bytes`.
  public enum RangePolicy: String, Sendable, CaseIterable {
    /// 200 and the whole body.
    case ignore
    /// 206 for one satisfiable range, 416 for an unsatisfiable one, 200 for several ranges.
    case honour
    /// A truthful 206 that starts earlier, at a multiple of 4096, as block-aligned caches do.
    case earlyStart = "early-start"
    /// A truthful 206 that starts one byte later than asked.
    case wrongStart = "wrong-start"
    /// `Content-Range` repeats what was asked while the bytes begin one byte later.
    case lyingStart = "lying-start"
    /// A truthful 206 of the first half of what was asked.
    case shortSlice = "short-slice"
    /// The slice, sent as 200 without `Content-Range`.
    case sliceAs200 = "slice-as-200"
    /// 206 without `Content-Range`.
    case noContentRange = "no-content-range"
    /// 206 with a total that is one too large.
    case wrongTotal = "wrong-total"
    /// 416 for every range.
    case refuse = "416"
  }

  public enum IfRangePolicy: String, Sendable, CaseIterable {
    /// A validator that is weak or differs makes the answer 200 and the whole body.
    case honour
    /// The range is served whatever `If-Range` says.
    case ignore
  }

  /// What `Expect: 100-continue` gets before the request's body is read.
  public enum ContinuePolicy: String, Sendable, CaseIterable {
    case send
    /// Nothing: the body is read when the client sends it anyway.
    case ignore
    /// The response itself; the body is not read and the connection is closed.
    case answer
  }

  /// Many header fields, `X-Flood-1` and so on, for clients that limit them.
  public struct HeaderFlood: Sendable, Equatable {
    public var count: Int
    /// Bytes in each value.
    public var size: Int

    public init(count: Int, size: Int = 16) {
      self.count = count
      self.size = size
    }
  }
}
