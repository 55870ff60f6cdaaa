import LogTestSupport
import Testing
import XferEvents

/// Tests that put a secret into every possible place and search for it in everything derived from the log.
struct CanaryTests {
  private let scan = CanaryScan()

  @Test(arguments: [CaptureMode.hashed, .redacted])
  func `No secret occurs in a log or in the output of any command`(mode: CaptureMode) async throws {
    let run = try await CanaryRun(mode)
    var outputs = try run.files()
    #expect(outputs.keys.contains { $0.hasSuffix(".seg") })
    outputs.merge(try run.eventDocuments()) { $1 }
    try run.index()
    let sealed = try run.files()
    #expect(sealed.keys.contains { $0.contains("frame") }, "sealed segments are searched")
    #expect(sealed.keys.contains { $0.hasSuffix(".sqlite") || $0.hasSuffix(".db") }, "\(sealed.keys.sorted())")
    for (name, bytes) in sealed { outputs["sealed \(name)"] = bytes }
    for (name, bytes) in try run.eventDocuments() { outputs["sealed \(name)"] = bytes }
    outputs.merge(try run.figures()) { $1 }
    outputs.merge(try run.salvaged()) { $1 }
    for (name, bytes) in outputs {
      for (canary, form) in scan.hits(in: bytes) { Issue.record("\(canary.rawValue) is in \(name), \(form)") }
    }
  }

  /// Verifies that the search would find secrets if they were stored.
  @Test func `A log in full capture mode contains every secret, in its bytes, in text and in JSON`() async throws {
    let run = try await CanaryRun(.full)
    #expect(Canary.kept.count >= 40)
    let files = try run.files()
    // The segments of dead writers may already be sealed, so their decompressed frames are searched too.
    let segments = files.filter { $0.key.contains(".seg") }.flatMap(\.value)
    let kept = Set(Canary.kept)
    func missing(_ bytes: [UInt8]) -> [String] { kept.subtracting(scan.hits(in: bytes).keys).map(\.rawValue).sorted() }
    #expect(missing(segments) == [])
    #expect(missing(try run.shown("show", run.log, "-o", "verbose")) == [])
    #expect(missing(try run.shown("show", run.log, "-o", "json")) == [])
    try run.index()
    #expect(missing(try run.files().filter { $0.key.contains(".seg") }.flatMap(\.value)) == [], "in sealed segments")
    #expect(scan.hits(in: segments).keys.filter { !$0.isEverKept } == [], "values that are never stored")
  }

  @Test func `The scan finds a secret in every encoding`() {
    let form = CanaryScan.forms(of: Canary.authorization.text)
    for (name, bytes) in form {
      #expect(scan.hits(in: [0x41] + bytes + [0x42])[.authorization] != nil, "\(name)")
      #expect(scan.hits(in: Array(bytes.dropLast())).isEmpty, "\(name)")
    }
    #expect(Set(Canary.allCases.map(\.text)).count == Canary.allCases.count)
  }
}
