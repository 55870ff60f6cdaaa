import Foundation
import LogTestSupport
import Testing
import XferEvents

/// Tests that search the files that are meant to be passed on: bundles, reports, results of jobs and comparisons.
struct ArtefactTests {
  private let scan = CanaryScan()

  @Test func `No secret of a log in full capture mode or of an imported log occurs in a file that is passed on`() async throws {
    let run = try await CanaryRun(.full)
    let recorded = try scan.hits(in: run.shown("show", run.log, "-o", "json"))
    #expect(recorded.count >= 40, "places in the recorded log")
    try expectNothing(in: run, log: run.log, name: "the recorded log")
    // The recorded secrets again, in files that other programs could have written.
    for format in ["ndjson", "har", "otlp-logs"] {
      let file = run.directory.path("exported-\(format)")
      try Data(run.shown("export", "--format", format, run.log)).write(to: URL(fileURLWithPath: file))
      try expectNothing(in: run, log: file, name: "the log exported as \(format)")
    }
    var planted: Set<Canary> = []
    for (name, text) in PlantedLogs.files.sorted(by: { $0.key < $1.key }) {
      let file = run.directory.path(name)
      try Data(text.utf8).write(to: URL(fileURLWithPath: file))
      planted.formUnion(scan.hits(in: Array(text.utf8)).keys)
      try expectNothing(in: run, log: file, name: name)
    }
    #expect(planted.count >= 35, "places in imported logs")
  }

  private func expectNothing(in run: CanaryRun, log: String, name: String) throws {
    for (artefact, bytes) in try run.artefacts(of: log) {
      // A log in full mode does not say that `emit --private` declared a public field private.
      for (canary, form) in scan.hits(in: bytes) where canary != .emittedIntent {
        Issue.record("\(canary.rawValue) of \(name) is in \(artefact), \(form)")
      }
    }
  }
}

extension CanaryRun {
  /// Makes the files that are passed on, and returns the bytes of each, also decompressed.
  fileprivate func artefacts(of log: String) throws -> [String: [UInt8]] {
    let place = directory.path("artefacts")
    try? FileManager.default.removeItem(atPath: place)
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    let bundle = "\(place)/bundle.zip"
    let collected = try ToolRun("xferlog", ["collect", log, "-o", bundle], environment: environment)
    if collected.status != 0 { throw Failure(said: "\(log): \(collected.text) \(collected.standardError)") }
    var files = ["what collect says": collected.standardOutput + Array(collected.standardError.utf8)]
    _ = try shown("report", log, "-o", "\(place)/report.html")
    let replay = try shown(
      "replay", log, "--fail-on", "never", "--annotations", "github", "--junit", "\(place)/junit.xml", "--sarif",
      "\(place)/results.sarif", "--markdown", "\(place)/summary.md", "--json", "\(place)/replay.json", "--code-quality",
      "\(place)/quality.json")
    files["annotations"] = Array(
      String(decoding: replay, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("::") }.joined(separator: "\n").utf8)
    for form in ["text", "json"] { files["diff as \(form)"] = try shown("diff", log, log, "-o", form) }
    for form in ["csv", "har", "otlp-spans"] {
      // Some logs have no requests.
      let export = try ToolRun("xferlog", ["export", "--format", form, bundle], environment: environment)
      if ![0, 3].contains(export.status) { throw Failure(said: "\(log): \(export.standardError)") }
      files["\(form) of the bundle"] = export.standardOutput
    }
    files["text of the bundle"] = try shown("replay", bundle, "--fail-on", "never")
    files["events of the bundle"] = try shown("show", "--all", "-o", "verbose", bundle)
    let unpack = """
      import base64, os, re, sys, zipfile, zlib
      place = sys.argv[1]
      zipfile.ZipFile(place + '/bundle.zip').extractall(place + '/unpacked')
      text = open(place + '/report.html').read()
      data = zlib.decompress(base64.b64decode(re.search('x-xferlog-report">([^<]*)<', text).group(1)))
      open(place + '/report.data', 'wb').write(data)
      """
    let python = try ToolRun("/usr/bin/python3", ["-c", unpack, place])
    if python.status != 0 { throw Failure(said: python.standardError) }
    // The names of files count, too.
    let names = FileManager.default.enumerator(atPath: place)?.compactMap { $0 as? String } ?? []
    files["names of files"] = Array(names.joined(separator: "\n").utf8)
    files.merge(try Self.files(in: place)) { $1 }
    return files
  }
}
