import Foundation
import LogTestSupport
import Testing
import XferLogStore
import XferReport

@testable import xferlog

/// `xferlog verify` on logs of which one bit was changed, wherever it is.
@Suite struct AlteredByteTests {
  private static func verdict(_ log: String) throws -> VerificationDocument.Verdict? {
    let reader = LogReader([.directory(log)], isFollowing: false, selection: nil, leavesOutCopies: false)
    // The command ends with an error if it cannot read any segment.
    return reader.segmentNames.isEmpty ? nil : try LogVerifier(reader, expectsOwnLogs: true).document.verdict
  }

  enum Form: String, CaseIterable { case live, appended, sealed }

  /// The word that says whether a closed segment was released. Without its bit, the writer could have been killed a moment earlier.
  private static let released = 2084

  /// The places to change: the header's fields, the beginning and the end of each chunk or block, and others at random. A campaign changes
  /// each byte.
  private static func places(of bytes: [UInt8], seed: UInt64) -> [Int] {
    let size = bytes.count
    if isCampaign { return Array(0..<size) }
    var random = SeededRandom(seed: seed)
    var places = Array(0..<200) + Array(1016..<1030) + Array(2044..<2092) + Array(2300..<2310)
    for chunk in stride(from: 4096, to: size, by: 32_768) {
      places += Array(chunk..<chunk + 72) + Array(chunk + 32_700..<chunk + 32_768)
    }
    let blocks = bytes.indices.dropLast(4).filter { bytes[$0..<$0 + 4].elementsEqual("XBLK".utf8) }
    for block in blocks { places += Array(block - 8..<block + 8) }
    places += (0..<150).map { _ in Int.random(in: 0..<size, using: &random) }
    return places.filter { $0 < size }
  }

  @Test(arguments: Form.allCases, seeds(1, campaign: 3))
  func `A closed log with a changed bit is not whole`(form: Form, seed: UInt64) throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory, appends: form == .appended)
    if form == .sealed { try DamagedLog.seal(log) }
    #expect(try Self.verdict(log) == .whole)
    let path = DamagedLog.segment(log)
    var bytes = try DamagedLog.bytes(path)
    var random = SeededRandom(seed: seed)
    for place in Self.places(of: bytes, seed: seed) {
      let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &random)
      if place == Self.released, bit == 1 { continue }
      bytes[place] ^= bit
      try DamagedLog.write(bytes, to: path)
      #expect(try Self.verdict(log) != .whole, "\(form), seed \(seed): byte \(place) of \(bytes.count), bit \(bit)")
      bytes[place] ^= bit
    }
    try DamagedLog.write(bytes + [1], to: path)
    #expect(try Self.verdict(log) != .whole, "\(form): a byte more")
  }
}
