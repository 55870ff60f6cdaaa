import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// Tests of sealed segments on a system without zstd, such as iOS.
struct UncompressedSystemTests {
  private func open(_ bytes: [UInt8], in directory: TemporaryDirectory, recovery: RecoveryMode) throws -> RecordSource {
    let path = try directory.write(bytes, to: "000001.seg")
    return try SegmentReader.open(
      number: 1, path: path, name: "000001.seg", index: 0, recovery: recovery, canDecompress: false
    ).source
  }

  @Test(arguments: [RecoveryMode.tail, .salvage])
  func `A compressed segment cannot be read without zstd, and the error says so`(recovery: RecoveryMode) throws {
    let directory = TemporaryDirectory()
    let bytes = try sealedSegment(PristineSegment(.closed).bytes, compresses: true)
    let error = #expect(throws: LogError.self) { try open(bytes, in: directory, recovery: recovery) }
    #expect(error?.code == .unknownFeature)
    #expect(
      error?.description
        == "\(directory.path("000001.seg")): the segment is compressed with zstd, which this system does not have.\n"
        + "Read the log on macOS or Linux.")
  }

  @Test func `A segment that was sealed without zstd can be read without it`() throws {
    let directory = TemporaryDirectory()
    _ = try open(sealedSegment(PristineSegment(.closed).bytes, compresses: false), in: directory, recovery: .tail)
  }
}
