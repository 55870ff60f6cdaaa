import Foundation
import LogTestSupport
import XferEvents
import XferLogStore

/// An undamaged log that real processes wrote, with what the commands say about it.
struct LiveLog: Sendable {
  let name: String
  let files: LogFiles
  /// The files that `xferlog salvage` makes of the log.
  let salvaged: LogFiles
  let reading: LogReading

  init(_ name: String, _ path: String) throws {
    self.name = name
    files = try LogFiles(path)
    let copy = TemporaryDirectory()
    _ = try LogSalvager([.directory(path)], to: copy.path("salvaged.xlog")).salvage()
    salvaged = try LogFiles(copy.path("salvaged.xlog"))
    guard let reading = try LogReading([path]) else { throw NotRecorded(what: name, why: "nothing can be read") }
    self.reading = reading
  }

  /// The installations that the writers name.
  var installations: Set<InstallationID> { Set(reading.writers.values.compactMap(\.installation)) }

  /// Returns a copy whose finished segments are sealed.
  func sealed() throws -> LiveLog {
    let copy = TemporaryDirectory()
    let path = copy.path("log.xlog")
    try files.write(to: path)
    for outcome in LogSealer(directory: path).seal() { _ = try outcome.result.get() }
    return try LiveLog("\(name), sealed", path)
  }

  // MARK: Recording

  /// Records samples with their near misses.
  static func samples(_ names: [String]) throws -> [LiveLog] {
    let directory = TemporaryDirectory()
    let run = try Sample.record(names, to: directory)
    guard run.status == 0 else { throw NotRecorded(what: names.joined(separator: ", "), why: run.standardError) }
    return try names.map { try LiveLog($0, directory.path("\($0)/log.xlog")) }
  }

  /// The scenarios of the sample apps, as paths.
  ///
  /// Scenarios whose log lacks events by itself are left out.
  static func scenarios() -> [String] {
    ["Samples/Kettle/Scenarios", "Samples/Scenarios"].flatMap { folder in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(Sample.root)/\(folder)")) ?? []
      return names.filter { $0.hasSuffix(".yaml") && !incomplete.contains(String($0.dropLast(5))) }.sorted()
        .map { "\(Sample.root)/\(folder)/\($0)" }
    }
  }

  private static let incomplete: Set = [
    "level-filtered", "log-drop-declared", "log-gap", "log-head-lost", "log-tail-torn", "log-unwritable-in-background",
    "logging-caused-harm",
  ]

  /// Runs a scenario with real processes and returns its log. Whether the scenario meets its expectations is tested elsewhere.
  static func scenario(_ path: String) throws -> LiveLog {
    let directory = TemporaryDirectory()
    let run = try ToolRun("xfer", ["scenario", "run", "--only", "scenario", "--keep", directory.path("kept"), path])
    let log = directory.path("kept/log.xlog")
    guard FileManager.default.fileExists(atPath: log) else { throw NotRecorded(what: path, why: run.text + run.standardError) }
    return try LiveLog(name(ofScenario: path), log)
  }

  static func name(ofScenario path: String) -> String { URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent }

  struct NotRecorded: Error {
    let what: String
    let why: String
  }
}
