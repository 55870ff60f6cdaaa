import Foundation
import Testing

/// Tests of the import rules between targets.
struct ArchitectureTests {
  /// The targets of this package that each target may import.
  private static let allowed: [String: Set<String>] = [
    "XferEvents": [],
    "XferLifecycle": ["XferEvents"],
    "XferLogStore": ["XferEvents"],
    "XferSQLite": [],
    "XferSwiftLog": ["XferEvents", "XferLogStore"],
    "XferEngine": ["XferEvents", "XferLifecycle"],
    "XferService": ["XferEvents", "XferEngine", "XferSQLite"],
    "XferRecorder": ["XferEvents", "XferLifecycle"],
    "XferImport": ["XferEvents"],
    "XferScript": ["XferEvents"],
    "XferReplay": ["XferEvents", "XferLifecycle"],
    "XferDiagnosis": ["XferEvents", "XferLifecycle", "XferReplay"],
    "XferRules": ["XferEvents", "XferDiagnosis"],
    "XferQuery": ["XferEvents", "XferLifecycle", "XferReplay", "XferDiagnosis"],
    "XferReport": ["XferEvents", "XferLifecycle", "XferReplay", "XferDiagnosis", "XferQuery"],
    "XferIndex": ["XferEvents", "XferLifecycle", "XferReplay", "XferDiagnosis", "XferQuery", "XferReport", "XferSQLite"],
  ]

  private static let sources = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")

  private static func imports(of target: String) throws -> [(file: String, module: String)] {
    let directory = sources.appendingPathComponent(target)
    let files = FileManager.default.enumerator(at: directory, includingPropertiesForKeys: nil)
    var found: [(file: String, module: String)] = []
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        let words = line.split(separator: " ")
        guard let place = words.firstIndex(of: "import"), place <= 2, place + 1 < words.count else { continue }
        found.append((file.lastPathComponent, String(words[place + 1])))
      }
    }
    return found
  }

  @Test(arguments: allowed.keys.sorted())
  func `A target imports only the targets that it may depend on`(_ target: String) throws {
    let imports = try Self.imports(of: target)
    #expect(!imports.isEmpty || target == "XferEvents", "\(target) has sources")
    for (file, module) in imports where module.hasPrefix("Xfer") {
      #expect(Self.allowed[target]?.contains(module) == true, "\(target)/\(file) imports \(module)")
    }
  }

  @Test(arguments: ["XferEvents", "XferLifecycle", "XferReplay", "XferDiagnosis", "XferRules", "XferQuery"])
  func `A pure target imports neither Foundation nor system modules`(_ target: String) throws {
    let banned: Set = ["Foundation", "FoundationEssentials", "Glibc", "Darwin", "Dispatch", "Synchronization"]
    for (file, module) in try Self.imports(of: target) {
      #expect(!banned.contains(module), "\(target)/\(file) imports \(module)")
    }
  }

  /// Loading Foundation would take a third of the tool's start-up time.
  @Test(arguments: [
    "XferLogStore", "XferSwiftLog", "XferImport", "XferReport", "XferRules", "XferSQLite", "XferIndex", "xferlog",
  ])
  func `A target of the reading tool does not import Foundation`(_ target: String) throws {
    for (file, module) in try Self.imports(of: target) {
      #expect(!["Foundation", "Yams"].contains(module), "\(target)/\(file) imports \(module)")
    }
  }
}
