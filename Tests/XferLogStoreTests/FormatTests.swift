import Foundation
import LogTestSupport
import Synchronization
import Testing
import XferEvents

@testable import XferLogStore

/// Tests that version 1 of the format does not change: committed segments can be read and are reproduced byte for byte.
struct FormatTests {
  @Test(.serialized, arguments: FormatSample.all)
  func `A sample log that is written again equals the committed one byte for byte`(_ sample: FormatSample) throws {
    let made = try sample.made()
    let isSame = FormatSample.withoutThreads(made) == FormatSample.withoutThreads(sample.committed)
    if !isSame, testVariable("XFERLOG_WRITE_SAMPLES") != nil { try sample.write(made) }
    #expect(sample.committed.keys.sorted() == made.keys.sorted())
    // Other versions of zstd compress the same contents to other bytes.
    if sample.isSealed { return }
    #expect(isSame, "a changed format needs a new version, and this version must remain readable")
  }

  @Test func `The committed log reads as before`() throws {
    let read = LogContents([.directory(try FormatSample.named("everything").path)])
    #expect(read.gaps.isEmpty)
    #expect(read.problems.isEmpty)
    #expect(read.numbers[1] == Array(0..<40))
    let task = try #require(read.events(.taskCreated).first)
    #expect(task.path == .plain("/日本/1"))
    #expect(task.urlQuery != .plain("private"))
  }

  @Test func `The committed bytes contain no private text`() throws {
    for sample in FormatSample.all {
      for (name, bytes) in sample.committed {
        for secret in ["never readable", "private", "a private name"] {
          let wanted = Array(secret.utf8)
          #expect(!bytes.indices.contains { bytes[$0...].starts(with: wanted) }, "\(secret) in \(sample.name), \(name)")
        }
      }
    }
  }

  @Test func `A secret in a private field is in the log file only in capture mode full`() throws {
    for mode in CaptureMode.allCases {
      for appends in [false, true] {
        let test = TestLog()
        let log = try test.open { configuration in
          configuration.privacy = PrivacyPolicy(mode: mode, key: (1, 2))
          configuration.forcesAppending = appends
        }
        let secret = "canary-7c1f-SECRET"
        log.emit(TaskCreated(task: Workload.task(0), path: secret, urlQuery: secret, label: secret, destination: secret))
        log.emit(AppNoted(message: String(repeating: secret, count: 4000)))
        log.close()
        let text = String(decoding: try contents(of: test.segment(1)), as: Unicode.ASCII.self)
        #expect(text.contains(secret) == (mode == .full), "\(mode.name), appended \(appends)")
      }
    }
  }

  @Test func `The constants of the format match its description`() {
    #expect(withUnsafeBytes(of: SegmentFormat.magic.littleEndian) { Array($0) } == Array("XFERLOG\u{1}".utf8))
    #expect(SegmentFormat.headerSize == 4096 && SegmentFormat.chunkSize == 32 << 10)
    #expect(SegmentFormat.chunkSize * SegmentFormat.firstChunks == 256 << 10)
    #expect(SegmentFormat.chunkSize * SegmentFormat.maximumChunks == 64 << 20)
    #expect(SegmentFormat.maximumRecord == 1 << 20)
    // A commit word must never equal the values for "uncommitted" and "end of chunk", for any length and position.
    for length in [16, 20, 32_704, 1 << 20] {
      for sequence in [0, 1, 0xFFFF, 0x10000, 0xFFFF_FFFF, .max] as [UInt64] {
        let word = RecordFormat.commitWord(length: length, sequence: sequence)
        #expect(word != 0 && word != RecordFormat.endOfChunk)
        #expect(UInt64(word >> 16) == sequence & 0xFFFF)
      }
    }
  }
}
