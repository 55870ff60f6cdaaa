import LogTestSupport

@testable import XferLogStore

/// Returns the sealed form of a segment.
func sealedSegment(_ bytes: [UInt8], compresses: Bool) throws -> [UInt8] {
  let directory = TemporaryDirectory()
  let name = LogDirectory.name(of: 1)
  let (reader, source) = try SegmentReader.open(number: 1, path: try directory.write(bytes, to: name), name: name, index: 0)
  defer { withExtendedLifetime(source) {} }
  var sealed: [UInt8] = []
  var sealer = SegmentSealer(reader, source: source, after: .none, compresses: compresses) { piece in
    sealed += piece
    return true
  }
  precondition(sealer.seal())
  return sealed
}
