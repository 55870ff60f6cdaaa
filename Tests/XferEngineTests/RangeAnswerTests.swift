import HTTPTypes
import Testing

@testable import XferEngine

/// Tests of responses to a request for the remainder of a 1000-byte resource after its first 400 bytes.
struct RangeAnswerTests {
  private static let entity = Entity(
    validator: .entityTag("\"a\""), total: 1000, lastModified: "Tue, 01 Jan 2030 00:00:00 GMT", contentEncoding: nil)

  private static func head(_ status: Int, _ lines: [String]) throws -> ResponseHead {
    var head = ResponseHead(byteLimit: 10_000, countLimit: 100)
    for line in ["HTTP/1.1 \(status) X"] + lines + [""] {
      _ = try Array("\(line)\r\n".utf8).withUnsafeBytes { bytes throws(TransferError) in try head.take(bytes) }
    }
    return head
  }

  @Test(arguments: [
    (206, ["Content-Range: bytes 400-999/1000", "ETag: \"a\""], RangeAnswer.continues(skip: 0, end: 1000, total: 1000)),
    (206, ["Content-Range: bytes 400-999/*"], .continues(skip: 0, end: 1000, total: 1000)),
    (206, ["Content-Range: bytes 400-999/1000", "Content-Length: 600"], .continues(skip: 0, end: 1000, total: 1000)),
    // The range starts or ends earlier than requested, and the response declares that.
    (206, ["Content-Range: bytes 256-999/1000"], .continues(skip: 144, end: 1000, total: 1000)),
    (206, ["Content-Range: bytes 400-499/1000"], .continues(skip: 0, end: 500, total: 1000)),
    // The range does not contain the missing bytes, or is malformed.
    (206, ["Content-Range: bytes 401-999/1000"], .asksAgain(.rangeWrong)),
    (206, ["Content-Range: bytes 0-399/1000"], .asksAgain(.rangeWrong)),
    (206, ["Content-Range: bytes 400-999/1000", "Content-Length: 599"], .asksAgain(.rangeWrong)),
    (206, ["Content-Range: bytes 400-1000/*"], .asksAgain(.rangeWrong)),
    (206, ["Content-Range: bytes 999-400/1000"], .asksAgain(.rangeWrong)),
    (206, ["Content-Range: bytes 400-999"], .asksAgain(.rangeWrong)),
    (206, ["Content-Range: bytes -1-999/1000"], .asksAgain(.rangeWrong)),
    (206, ["Content-Range: bytes */1000"], .asksAgain(.rangeWrong)),
    (206, ["Content-Range: lines 400-999/1000"], .asksAgain(.rangeWrong)),
    (206, ["Content-Range: bytes 400-99999999999999999999/1000"], .asksAgain(.rangeWrong)),
    (206, [], .asksAgain(.rangeWrong)),
    (206, ["Content-Type: multipart/byteranges; boundary=x"], .asksAgain(.rangeWrong)),
    // The response is of another version.
    (206, ["Content-Range: bytes 400-999/1000", "ETag: \"b\""], .asksAgain(.entityChanged)),
    (206, ["Content-Range: bytes 400-999/1000", "ETag: W/\"a\""], .asksAgain(.entityChanged)),
    (206, ["Content-Range: bytes 400-1000/1001"], .asksAgain(.entityChanged)),
    (206, ["Content-Range: bytes 400-999/1000", "Last-Modified: Tue, 01 Jan 2030 00:00:01 GMT"], .asksAgain(.entityChanged)),
    // Two machines of a server may date the same version differently.
    (
      206, ["Content-Range: bytes 400-999/1000", "ETag: \"a\"", "Last-Modified: Tue, 01 Jan 2030 00:00:01 GMT"],
      .continues(skip: 0, end: 1000, total: 1000)
    ),
    (
      206, ["Content-Range: bytes 400-999/1000", "Last-Modified: Tue, 01 Jan 2030 00:00:00 GMT"],
      .continues(skip: 0, end: 1000, total: 1000)
    ),
    (206, ["Content-Range: bytes 400-999/1000", "Content-Encoding: gzip"], .asksAgain(.encodingChanged)),
    (200, ["ETag: \"b\"", "Content-Length: 1000"], .startsOver(.entityChanged)),
    (200, ["Content-Length: 1000"], .startsOver(.entityChanged)),
    // The response has the whole resource, or claims to.
    (200, ["ETag: \"a\"", "Content-Length: 1000"], .startsOver(.rangeIgnored)),
    (200, ["ETag: \"a\"", "Transfer-Encoding: chunked"], .startsOver(.rangeIgnored)),
    (200, ["ETag: \"a\"", "Content-Length: 600"], .asksAgain(.rangeWrong)),
    (416, ["Content-Range: bytes */1000"], .asksAgain(.rangeRefused)),
    (416, ["ETag: \"b\""], .asksAgain(.entityChanged)),
    (404, [], .other), (503, ["Retry-After: 1"], .other), (204, [], .other),
  ])
  func `Only a valid range of the same version is appended to the partial file`(
    status: Int, lines: [String], expected: RangeAnswer
  ) throws {
    #expect(RangeAnswer(try Self.head(status, lines), to: Self.entity, from: 400) == expected)
  }

  @Test func `Resume data keeps the date of a resource that also has an entity tag`() throws {
    let resumeData = ResumeData(
      id: 1, method: .get, urlText: "http://example.com/f", fields: [:], entity: Self.entity, offset: 400,
      file: PartialFile(path: "/tmp/f", inode: 9))
    #expect(try ResumeData(resumeData.data).entity == Self.entity)
    let record = try #require(PartialRecord(resumeData: resumeData.data))
    let restored = try #require(record.resumeData(urlText: "http://example.com/f", directory: "/tmp"))
    #expect(try ResumeData(restored).entity == Self.entity)
  }

  @Test(arguments: [
    (["ETag: \"a\""], Validator.entityTag("\"a\"")), (["ETag: W/\"a\"", "Last-Modified: Tue, 01 Jan 2030 00:00:00 GMT"], nil),
    (["ETag: a"], nil), (["ETag: \""], nil), ([], nil),
    (["Last-Modified: Tue, 01 Jan 2030 00:00:00 GMT"], nil),
    (["Last-Modified: Tue, 01 Jan 2030 00:00:00 GMT", "Date: Tue, 01 Jan 2030 00:00:59 GMT"], nil),
    (
      ["Last-Modified: Tue, 01 Jan 2030 00:00:00 GMT", "Date: Tue, 01 Jan 2030 00:01:00 GMT"],
      .date("Tue, 01 Jan 2030 00:00:00 GMT")
    ),
    (["Last-Modified: yesterday", "Date: Tue, 01 Jan 2030 00:01:00 GMT"], nil),
  ])
  func `Only strong validators are used`(lines: [String], expected: Validator?) throws {
    #expect(Validator(try Self.head(200, lines).fields) == expected)
  }

  @Test(arguments: [
    (["120"], nil, Duration.seconds(120)), (["-1"], nil, nil), (["soon"], nil, nil), ([""], nil, nil),
    (["5", "7", "6"], nil, .seconds(7)),
    (["99999999999"], nil, .seconds(9_000_000_000)), (["99999999999999999999999"], nil, .seconds(9_000_000_000)),
    (["Tue, 01 Jan 2030 00:01:00 GMT"], "Tue, 01 Jan 2030 00:00:00 GMT", .seconds(60)),
    (["Tue, 01 Jan 2030 00:00:00 GMT"], "Tue, 01 Jan 2030 00:01:00 GMT", .zero),
    (["Tue, 01 Jan 2030 00:01:00 GMT"], nil, .seconds(61)), (["Tue, 01 Jan 2030 00:01:00 GMT"], "today", .seconds(61)),
  ])
  func `Retry-After is a number of seconds or a date`(texts: [String], date: String?, expected: Duration?) throws {
    let head = try Self.head(503, texts.map { "Retry-After: \($0)" } + (date.map { ["Date: \($0)"] } ?? []))
    #expect(head.retryAfter { 1_893_455_999 } == expected)
  }
}
