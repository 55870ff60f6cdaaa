import Foundation
import HTTPTypes
import Testing
import XferEvents
import XferScript

@testable import XferEngine

/// Tests of content codings: a body is decoded completely, or the task fails.
struct DecodingTests {
  /// A text that compresses moderately, so that both the encoded and the decoded body are large.
  private static let text = Array(String((0..<20_000).map { "line \($0 &* 7919 % 1000)\n" }.joined()).utf8)
  private static let gzip = Compressed.gzip(text)

  private func answer(
    _ coding: String, _ bytes: [UInt8], pieces: Int? = nil, _ configure: (inout TransferSession.Configuration) -> Void = { _ in }
  ) async throws -> Result<[UInt8], TransferError> {
    let response = ScriptedResponse(
      headers: ["Content-Encoding": coding], body: .bytes(bytes), pieces: pieces.map { .init(size: $0) })
    var result: Result<[UInt8], TransferError>?
    try await Bench.run([.init("/a", response)], configure: configure) { bench in
      do throws(TransferError) {
        result = .success(Array(try await bench.session.data(for: bench.request("/a")).0))
      } catch {
        result = .failure(error)
      }
      await bench.log.wait(for: .taskAcknowledged)
      let ended = bench.log.all(.attemptEnded)[0]
      if case .success(let data)? = result {
        #expect(ended.number("received") == Int64(bytes.count))
        if data.count != bytes.count { #expect(ended.number("decoded") == Int64(data.count)) }
      }
    }
    return result!
  }

  @Test(arguments: [nil, 1, 7, 1000])
  func `An encoded body is decoded completely, for any chunk size`(pieces: Int?) async throws {
    // Sending byte by byte is slow, so the text is short.
    let text = pieces == 1 ? Array(Self.text[..<5000]) : Self.text
    let gzip = Compressed.gzip(text)
    let zlib = Compressed.deflate(text, windowBits: 15)
    let codings: [(String, [UInt8])] = [
      ("gzip", gzip), ("X-GZIP", gzip), ("gzip", Compressed.gzip(Array(text[..<1000])) + Compressed.gzip(Array(text[1000...]))),
      ("deflate", zlib), ("deflate", Compressed.deflate(text, windowBits: -15)), ("zstd", Compressed.zstandard(text)),
      ("zstd", Compressed.zstandard(Array(text[..<10])) + Compressed.zstandard(Array(text[10...]))),
      ("gzip, identity", gzip), ("deflate, gzip", Compressed.gzip(zlib)),
      ("gzip, gzip ,gzip", Compressed.gzip(Compressed.gzip(gzip))), ("identity", text), (" , ", text),
    ]
    for (coding, bytes) in codings {
      let data = try await answer(coding, bytes, pieces: pieces).get()
      #expect(data == text, "\(coding)")
    }
    #expect(try await answer("br", Compressed.brotliHello, pieces: pieces).get() == Array("hello".utf8))
    for coding in ["gzip", "deflate", "br", "zstd"] { #expect(try await answer(coding, []).get() == []) }
  }

  @Test func `A truncated or damaged encoded body is an error`() async throws {
    let zlib = Compressed.deflate(Self.text, windowBits: 15)
    let zstandard = Compressed.zstandard(Self.text)
    var damaged = Self.gzip
    damaged.replaceSubrange(damaged.count / 2..<damaged.count / 2 + 50, with: repeatElement(0, count: 50))
    var checksum = Self.gzip
    checksum[checksum.count - 6] ^= 1
    var size = Self.gzip
    size[size.count - 1] ^= 1
    let wrong: [(String, [UInt8])] = [
      ("gzip", damaged), ("gzip", checksum), ("gzip", size), ("gzip", Self.gzip + Array("garbage".utf8)),
      ("gzip", Array("plain text".utf8)), ("gzip", Self.gzip + Self.gzip.dropLast(4)), ("gzip", [0x1F]),
      ("deflate", zlib.dropLast(1)), ("deflate", zlib.dropLast(2000)), ("deflate", zlib + [0]), ("deflate", [0x78]),
      ("br", Compressed.brotliHello.dropLast(1)), ("br", Compressed.brotliHello + [0]), ("br", [0xFF, 0xFF]),
      ("zstd", zstandard.dropLast(1)), ("zstd", zstandard.dropLast(500)), ("zstd", zstandard + [0]), ("zstd", [0x28, 0xB5]),
      ("gzip, gzip", Compressed.gzip(Self.gzip.dropLast(100))), ("gzip, gzip", Self.gzip), ("lzma", Self.text),
      ("gzip, gzip, gzip, gzip, gzip, gzip", Self.gzip),
    ]
    let cuts = stride(from: 1, to: Self.gzip.count, by: Self.gzip.count / 23).map { ("gzip", Array(Self.gzip[..<$0])) }
    for (coding, bytes) in wrong + cuts {
      guard case .failure(let error) = try await answer(coding, bytes) else {
        Issue.record("\(coding) of \(bytes.count) bytes was accepted")
        continue
      }
      #expect(error.code == .cannotDecodeContentData && error.number == 61 && error.stage == .body)
    }
  }

  @Test func `A slowly read body is decoded at the reader's pace`() async throws {
    // Decodes to far more than the buffers hold, from a body that arrives at once.
    let text = (0..<140).flatMap { block in repeatElement(UInt8(block), count: 1 << 16) }
    let response = ScriptedResponse(headers: ["Content-Encoding": "gzip"], body: .bytes(Compressed.gzip(text)))
    try await Bench.run([.init("/a", response)]) { bench in
      let (body, _) = try await bench.session.bytes(for: bench.request("/a"))
      var read: [UInt8] = []
      for try await part in body { read += part }
      #expect(read == text)
    }
    let delegate = RecordingDelegate()
    try await Bench.run([.init("/a", response)], delegate: delegate) { bench in
      let task = try bench.session.dataTask(with: bench.request("/a"))
      task.resume()
      await bench.log.wait(for: .taskAcknowledged)
      #expect(delegate.seen.data[task.taskIdentifier] == text)
    }
  }

  @Test func `A body is not decoded if the request sets Accept-Encoding`() async throws {
    let response = ScriptedResponse(headers: ["Content-Encoding": "gzip"], body: .bytes(Self.gzip))
    try await Bench.run([.init("/a", response)]) { bench in
      let (data, _) = try await bench.session.data(for: bench.request("/a", .get, [.acceptEncoding: "gzip"]))
      #expect(Array(data) == Self.gzip)
    }
  }

  @Test func `A decoded body may have 10 MiB, or above that 100 times its encoded size`() async throws {
    let zeros = [UInt8](repeating: 0, count: 10 << 20)
    #expect(try await answer("gzip", Compressed.gzip(zeros)).get().count == zeros.count)
    guard case .failure(let error) = try await answer("gzip", Compressed.gzip(zeros + [0])) else {
      Issue.record("a body of one byte above the limit was accepted")
      return
    }
    #expect(error.code == .dataLengthExceedsMaximum && error.number == 63)
    let data = try await answer("gzip", Compressed.gzip(zeros + [0])) { $0.maximumDecodedRatio = 10_000 }.get()
    #expect(data.count == zeros.count + 1)
  }
}
