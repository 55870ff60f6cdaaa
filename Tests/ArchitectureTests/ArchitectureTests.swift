import Foundation
import Testing

/// Data flows one way: a target imports only what lies before it.
struct ArchitectureTests {
  /// What each target of ours may import of ours.
  private static let allowed: [String: Set<String>] = [
    "XferEvents": [],
    "XferLifecycle": ["XferEvents"],
    "XferLogStore": ["XferEvents"],
    "XferSwiftLog": ["XferEvents", "XferLogStore"],
    "XferEngine": ["XferEvents", "XferLifecycle"],
    "XferService": ["XferEvents", "XferEngine"],
    "XferRecorder": ["XferEvents", "XferLifecycle"],
    "XferImport": ["XferEvents"],
    "XferScript": ["XferEvents"],
    "XferReplay": ["XferEvents", "XferLifecycle"],
    "XferDiagnosis": ["XferEvents", "XferLifecycle", "XferReplay"],
    "XferRules": ["XferEvents", "XferDiagnosis"],
    "XferQuery": ["XferEvents", "XferLifecycle", "XferReplay", "XferDiagnosis"],
    "XferReport": ["XferEvents", "XferLifecycle", "XferReplay", "XferDiagnosis", "XferQuery"],
    "XferIndex": ["XferEvents", "XferLifecycle", "XferReplay", "XferDiagnosis", "XferQuery", "XferReport"],
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
  func `A target imports only what data has passed before it`(_ target: String) throws {
    let imports = try Self.imports(of: target)
    #expect(!imports.isEmpty || target == "XferEvents", "\(target) has sources")
    for (file, module) in imports where module.hasPrefix("Xfer") {
      #expect(Self.allowed[target]?.contains(module) == true, "\(target)/\(file) imports \(module)")
    }
  }

  @Test(arguments: ["XferEvents", "XferLifecycle", "XferReplay", "XferDiagnosis", "XferRules", "XferQuery"])
  func `Pure targets know neither Foundation nor the system`(_ target: String) throws {
    let banned: Set = ["Foundation", "FoundationEssentials", "Glibc", "Darwin", "Dispatch", "Synchronization"]
    for (file, module) in try Self.imports(of: target) {
      #expect(!banned.contains(module), "\(target)/\(file) imports \(module)")
    }
  }

  /// Loading it would take a third of the tool's start.
  @Test(arguments: ["XferLogStore", "XferSwiftLog", "XferImport", "XferReport", "XferRules", "XferIndex", "xferlog"])
  func `What the reading tool is made of does without Foundation`(_ target: String) throws {
    for (file, module) in try Self.imports(of: target) {
      #expect(!["Foundation", "GRDB", "Yams"].contains(module), "\(target)/\(file) imports \(module)")
    }
  }
}
