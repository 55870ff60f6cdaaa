import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

extension DamagedLog {
  static func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

  static func write(_ bytes: [UInt8], to path: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

  static func segment(_ log: String, _ number: UInt32 = 1) -> String { LogDirectory.path(of: number, in: log) }

  static func seal(_ log: String) throws {
    for outcome in LogSealer(directory: log).seal() { _ = try outcome.result.get() }
  }

  /// The contents of all files in a directory, by name.
  static func files(_ directory: String) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: directory) { files[name] = try bytes("\(directory)/\(name)") }
    return files
  }

  /// Emits events from three threads that overlap, so that each has its own lane. Each thread outlives the next one.
  static func emit(_ events: Int, to log: EventLog, thread: Int = 0) {
    Workload.emit(thread, numbers: 0..<events / 6, to: log)
    if thread < 2 { SystemThread { emit(events, to: log, thread: thread + 1) }.join() }
    Workload.emit(thread, numbers: events / 6..<events / 3, to: log)
  }

  /// Returns a closed log with three lanes and several segments.
  static func long(in directory: TemporaryDirectory, name: String = "long.xlog", events: Int = 12_000) throws -> String {
    let log = try RecordedLog(in: directory, name: name)
    let writer = try #require(log.writer)
    emit(events, to: writer)
    log.close()
    return log.path
  }

  /// A sealed segment with one changed record and recomputed checksums.
  struct Edit {
    let bytes: [UInt8]
    let lane: UInt32
    let sequence: UInt64

    /// - Parameter sealed: the segment's bytes.
    init(_ sealed: [UInt8], seed: UInt64) throws {
      var random = SeededRandom(seed: seed)
      let file = SegmentBytes(sealed)
      var index = try #require(SealedBlocks.index(of: file, nonce: nil))
      var trailer = try #require(SealTrailer.decode(endOf: file))
      let editable = index.entries.indices.filter {
        index.entries[$0].block.form == .columns && index.entries[$0].block.positions > 0
          && index.entries[$0].block.chunk.kind == .records
      }
      let edited = try #require(editable.randomElement(using: &random))
      var zstd = Zstandard()
      var place: UInt64 = 0
      var bytes = Array(sealed[..<SegmentFormat.headerSize])
      for number in index.entries.indices {
        var entry = index.entries[number]
        var stored = Array(
          sealed[Int(entry.offset) + BlockHeader.size..<Int(entry.offset) + BlockHeader.size + Int(entry.block.storedSize)])
        if number == edited {
          let block = try #require(DecodedBlock(entry.block, at: entry.offset, in: file))
          var decoded = Array(block.bytes)
          var walker = try #require(block.walker(of: entry.block))
          var records: [RecordWalker.Record] = []
          while case .record(let record) = walker.next() { records.append(record) }
          let record = try #require(records.filter { !$0.payload.isEmpty }.randomElement(using: &random))
          place = record.sequence
          let start = block.bytes.baseAddress!.distance(to: record.payload.baseAddress!)
          decoded[start + Int.random(in: 0..<record.payload.count, using: &random)] ^=
            1 << UInt8.random(in: 0..<8, using: &random)
          let compressed = zstd.compress(decoded)
          stored = compressed ?? decoded
          entry.block.codec = compressed == nil ? .stored : .zstd
          entry.block.storedSize = UInt32(stored.count)
          let nonce = entry.block.chunk.nonce
          entry.block.checksum = stored.withUnsafeBytes { Checksum.crc32c($0, seed: Checksum.folded(nonce)) }
        }
        entry.offset = UInt64(bytes.count)
        bytes += Self.encoded(BlockHeader.size, entry.block.write) + stored
        bytes += [UInt8](repeating: 0, count: Int(entry.offset) + entry.block.extent - bytes.count)
        index.entries[number] = entry
      }
      let encoded = index.encoded()
      let compressed = zstd.compress(encoded)
      let stored = compressed ?? encoded
      (trailer.indexOffset, trailer.storedSize) = (UInt64(bytes.count), UInt32(stored.count))
      (trailer.decodedSize, trailer.codec) = (UInt32(encoded.count), compressed == nil ? .stored : .zstd)
      trailer.checksum = stored.withUnsafeBytes { Checksum.crc32c($0) }
      self.bytes = bytes + stored + Self.encoded(SealTrailer.size, trailer.write)
      lane = index.entries[edited].block.chunk.lane
      sequence = place
    }

    /// A sealed segment whose first block of records has no kinds that queries look for, with recomputed checksums and a recomputed last link.
    static func withWrongKinds(_ sealed: [UInt8]) throws -> [UInt8] {
      let file = SegmentBytes(sealed)
      var index = try #require(SealedBlocks.index(of: file, nonce: nil))
      var trailer = try #require(SealTrailer.decode(endOf: file))
      let edited = try #require(index.entries.indices.first { index.entries[$0].block.columns.hasFrames })
      let kinds = index.entries[edited].block.columns.kinds
      index.entries[edited].block.columns.kinds = KindSet(bits: ~kinds.bits)
      var bytes = Array(sealed[..<Int(trailer.indexOffset)])
      let start = Int(index.entries[edited].offset)
      bytes.replaceSubrange(start..<start + BlockHeader.size, with: encoded(BlockHeader.size, index.entries[edited].block.write))
      let stored = index.encoded()
      var chain = HashChain(from: try #require(index.entries.last).block.chain)
      stored.withUnsafeBytes { chain.append([$0]) }
      (trailer.storedSize, trailer.decodedSize) = (UInt32(stored.count), UInt32(stored.count))
      (trailer.codec, trailer.last, trailer.checksum) = (.stored, chain.last, stored.withUnsafeBytes { Checksum.crc32c($0) })
      return bytes + stored + encoded(SealTrailer.size, trailer.write)
    }

    private static func encoded(_ size: Int, _ write: (UnsafeMutableRawBufferPointer) -> Void) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: size)
      bytes.withUnsafeMutableBytes(write)
      return bytes
    }
  }
}
