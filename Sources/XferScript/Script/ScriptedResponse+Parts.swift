extension ScriptedResponse {
  /// The value of the response's `Content-Length` field.
  package enum ContentLength: Sendable, Equatable {
    /// The number of body bytes. The field is left out when the body is chunked.
    case automatic
    /// No `Content-Length` field. An unchunked body then ends when the connection closes.
    case none
    /// A fixed number, even when it is wrong or the body is chunked.
    case value(Int)
  }

  package struct Chunking: Sendable, Equatable {
    /// The number of body bytes per chunk. The last chunk holds the remainder.
    package var size: Int
    /// The time between two chunks.
    package var delay: Duration
    /// The trailer fields, announced in `Trailer` and sent after the last chunk.
    package var trailers: ScriptHeaders
    package var malformed: Malformation?

    package init(
      size: Int = 16 << 10, delay: Duration = .zero, trailers: ScriptHeaders = [:], malformed: Malformation? = nil
    ) {
      self.size = size
      self.delay = delay
      self.trailers = trailers
      self.malformed = malformed
    }

    /// A violation of the chunked transfer coding, after which the connection is closed.
    package enum Malformation: String, Sendable, CaseIterable {
      /// The zero-size chunk that ends the body is left out.
      case missingFinal = "missing-final"
      /// The size line of the last chunk with data is `zz`.
      case badSize = "bad-size"
      /// The size of the last chunk with data does not fit into 64 bits.
      case hugeSize = "huge-size"
      /// The last chunk with data announces one byte more than it has, and nothing follows it.
      case shortChunk = "short-chunk"
      /// The data of the last chunk is not followed by a line end.
      case missingLineEnd = "missing-line-end"
    }
  }

  package struct Pieces: Sendable, Equatable {
    /// The number of body bytes per write. The last write sends the remainder.
    package var size: Int
    /// The time between two writes.
    package var delay: Duration

    package init(size: Int, delay: Duration = .zero) {
      self.size = size
      self.delay = delay
    }
  }

  package struct Delays: Sendable, Equatable {
    /// The delay from the end of the request to the first byte of the response.
    package var beforeStatus: Duration
    /// The delay from the response's head to the first byte of its body.
    package var beforeBody: Duration

    package init(beforeStatus: Duration = .zero, beforeBody: Duration = .zero) {
      self.beforeStatus = beforeStatus
      self.beforeBody = beforeBody
    }
  }

  /// The place at which a response is cut, and the way in which its connection ends.
  package struct Cut: Sendable, Equatable {
    package enum Place: Sendable, Equatable {
      case beforeStatus
      /// The cut comes after half of the head's bytes.
      case midHeaders
      case afterHeaders
      /// The cut comes after half of the body's bytes.
      case midBody
      /// The cut comes after exactly this many body bytes, excluding chunk framing. A shorter body is not cut.
      case afterBodyBytes(Int)
      /// The connection ends after the complete response, without `Connection: close`.
      case afterBody
      /// The cut comes when this many bytes of the request's body have arrived. A shorter request body is not cut.
      case afterRequestBytes(Int)
    }

    package enum Manner: String, Sendable, CaseIterable {
      /// Closes the connection with FIN. The client can read everything that was sent.
      case close
      /// Resets the connection with RST after the client's kernel has received everything that was sent.
      case reset
      /// Sends nothing more until the client disconnects or the server stops.
      case hang
    }

    package var place: Place
    package var how: Manner

    package init(_ place: Place, _ how: Manner = .close) {
      self.place = place
      self.how = how
    }
  }

  /// The server's treatment of `Range`. All policies except `ignore` announce `Accept-Ranges: bytes`.
  package enum RangePolicy: String, Sendable, CaseIterable {
    /// Responds with 200 and the whole body.
    case ignore
    /// Responds with 206 for a satisfiable range, 416 for an unsatisfiable range, and 200 for several ranges.
    case honour
    /// Responds with a correct 206 that starts early, at a multiple of 4096 bytes, as block-aligned caches do.
    case earlyStart = "early-start"
    /// Responds with a correct 206 that starts one byte later than requested.
    case wrongStart = "wrong-start"
    /// Repeats the requested range in `Content-Range`, but sends bytes that start one byte later.
    case lyingStart = "lying-start"
    /// Responds with a correct 206 for only the first half of the requested range.
    case shortSlice = "short-slice"
    /// Sends the requested range as a 200 response without `Content-Range`.
    case sliceAs200 = "slice-as-200"
    /// Responds with 206 but without `Content-Range`.
    case noContentRange = "no-content-range"
    /// Responds with 206 and a `Content-Range` whose total size is one too large.
    case wrongTotal = "wrong-total"
    /// Responds to every range with 416.
    case refuse = "416"
  }

  package enum IfRangePolicy: String, Sendable, CaseIterable {
    /// Responds with 200 and the whole body when the validator is weak or does not match.
    case honour
    /// Serves the range regardless of `If-Range`.
    case ignore
  }

  /// The server's answer to `Expect: 100-continue` before it reads the request's body.
  package enum ContinuePolicy: String, Sendable, CaseIterable {
    case send
    /// Sends no interim response, and reads the body if the client sends it anyway.
    case ignore
    /// Sends the final response without reading the body, then closes the connection.
    case answer
  }

  /// A large number of extra header fields (`X-Flood-1`, `X-Flood-2`, …) for testing a client's limits.
  package struct HeaderFlood: Sendable, Equatable {
    package var count: Int
    /// The number of bytes in each value.
    package var size: Int

    package init(count: Int, size: Int = 16) {
      self.count = count
      self.size = size
    }
  }
}
