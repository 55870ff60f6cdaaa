import CXferPlatform
import XferEvents
import XferImport
import XferReading
import XferYAML

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file that explains the keys of a log of JSON lines, in YAML or JSON.
struct MappingFile {
  let mapping: ImportMapping

  /// The maximum size of the file.
  private static let largest = 1 << 20

  init(_ path: String) throws {
    let descriptor = xp_open(path, O_RDONLY | O_CLOEXEC, 0)
    defer { if descriptor >= 0 { close(descriptor) } }
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.largest) { bytes, count in
      count = max(0, read(descriptor, bytes.baseAddress, bytes.count))
    }
    guard !bytes.isEmpty else {
      throw CommandExit(.wrongUsage, "--mapping \(path) cannot be read, or is empty")
    }
    let node: YAMLNode
    do {
      node = try YAMLReader.read(bytes, file: path)
    } catch {
      throw CommandExit(.wrongUsage, "\(error.place): \(error.text)\(error.advice.map { ". \($0)" } ?? "")")
    }
    mapping = try Self.mapping(node)
  }

  private static let units: [String: Int64] = ["s": 1_000_000_000, "ms": 1_000_000, "us": 1000, "ns": 1]
  private static let others = ["events", "timeUnit", "durationUnit", "timeOf"]

  private static func mapping(_ node: YAMLNode) throws -> ImportMapping {
    guard case .mapping(let pairs) = node.content else {
      throw mistake(node, "a mapping has keys such as `time: ts` and `task: id`")
    }
    var mapping = ImportMapping()
    for (key, value) in pairs {
      let name = key.scalar ?? ""
      if let role = ImportMapping.Role(rawValue: name) {
        guard let text = value.scalar, !text.isEmpty else { throw mistake(value, "`\(name)` names a key of the log's objects") }
        mapping.keys[role] = text.split(separator: ".").map(String.init)
        continue
      }
      switch name {
      case "events": mapping.steps = try steps(value)
      case "timeUnit": mapping.timeUnit = try unit(value, name)
      case "durationUnit": mapping.durationUnit = try unit(value, name)
      case "timeOf":
        guard let text = value.scalar, ["start", "end"].contains(text) else { throw mistake(value, "`timeOf` is start or end") }
        mapping.isTimeOfStart = text == "start"
      default:
        let near = NearNames.of(name, among: ImportMapping.Role.allCases.map(\.rawValue) + others)
        let advice = near.isEmpty ? "" : " Did you mean \(near.map { "`\($0)`" }.joined(separator: " or "))?"
        throw mistake(key, "`\(name)` is not a key of a mapping.\(advice)")
      }
    }
    let isEnding: [ImportMapping.Role] = [.event, .outcome, .status, .error]
    if !isEnding.contains(where: { mapping.keys[$0] != nil }) {
      throw mistake(node, "a mapping needs one of the keys event, outcome, status and error, which tell what happened")
    }
    return mapping
  }

  private static func steps(_ node: YAMLNode) throws -> [String: TransferFact.Step] {
    guard case .mapping(let pairs) = node.content else { throw mistake(node, "`events` maps values of the log to steps") }
    var steps: [String: TransferFact.Step] = [:]
    for (key, value) in pairs {
      guard let step = value.scalar.flatMap({ TransferFact.Step(rawValue: $0) }) else {
        let names = "created, started, sent, response, progress, retried, finished, failed and cancelled"
        throw mistake(value, "`\(value.scalar ?? "")` is not a step (the steps are \(names))")
      }
      steps[key.scalar ?? ""] = step
    }
    return steps
  }

  private static func unit(_ node: YAMLNode, _ name: String) throws -> Int64 {
    guard let unit = node.scalar.flatMap({ units[$0] }) else { throw mistake(node, "`\(name)` is s, ms, us or ns") }
    return unit
  }

  private static func mistake(_ node: YAMLNode, _ problem: String) -> CommandExit {
    CommandExit(.wrongUsage, "\(node.place): \(problem)")
  }
}
