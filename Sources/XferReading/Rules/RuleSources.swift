package import XferDiagnosis
package import XferRules

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The user's rules and limits, read from files and options.
package struct RuleSources {
  package let rules: RuleSet
  /// A text that identifies the rules and limits, for comparison. Empty for the unchanged built-in rules.
  package let identity: String
  /// The files with rules, in the order of their precedence. A copy of a configuration has its rules and limits alone.
  package private(set) var copies: [File] = []
  /// All limits as typed, in the order in which they were set.
  package private(set) var limitTexts: [String] = []
  /// Sentences about rules of bundles that other files replace.
  package private(set) var replacements: [String] = []

  package struct File: Sendable {
    package let name: String
    package let bytes: [UInt8]
    /// Whether the file's `rules` may name other files.
    package let isConfiguration: Bool
  }

  /// - Parameters:
  ///   - limits: limits that override those of all files.
  ///   - optionsText: the limits as typed, which become a part of the identity.
  ///   - bundles: what the bundles among the inputs contain. The files and the limits override it.
  package init(
    _ files: [File], limits: [RuleFile.WrittenLimit], optionsText: [String], bundles: [BundleDecisions] = []
  ) throws {
    var bundled: [(file: RuleFile, limits: [RuleFile.WrittenLimit])] = []
    var read: [RuleFile] = []
    var identity: [String] = []
    do {
      for bundle in bundles {
        for file in bundle.rules {
          bundled.append((try RuleFile(name: file.name, bytes: file.bytes), []))
          copies.append(file)
          identity.append("\(file.name)\n\(String(decoding: file.bytes, as: UTF8.self))")
        }
        bundled.append((try RuleFile(name: bundle.bundle, bytes: Array("limits:\n".utf8)), bundle.limits))
        identity += bundle.limitTexts
      }
      for file in files {
        let rules = try RuleFile(name: file.name, bytes: file.bytes, namesFiles: file.isConfiguration)
        identity.append("\(file.name)\n\(String(decoding: file.bytes, as: UTF8.self))")
        // Files that a configuration names come before the configuration's own rules.
        for name in rules.files {
          let path = Self.path(name.name, besides: file.name)
          let bytes = try Self.bytes(path, namedAt: "\(name.place)")
          read.append(try RuleFile(name: path, bytes: bytes))
          copies.append(File(name: path, bytes: bytes, isConfiguration: false))
          identity.append("\(name.name)\n\(String(decoding: bytes, as: UTF8.self))")
        }
        read.append(rules)
        if !file.isConfiguration || !rules.rules.isEmpty {
          copies.append(File(name: file.name, bytes: file.bytes, isConfiguration: file.isConfiguration))
        }
      }
      rules = try RuleSet(over: bundled, read, limits: limits)
    } catch let errors as RuleErrors {
      throw CommandExit(.wrongUsage, errors.message)
    }
    self.identity = (identity + optionsText).joined(separator: "\u{0}")
    limitTexts = (bundled.flatMap { $0.file.limits + $0.limits } + read.flatMap(\.limits) + limits).map(\.text)
    replacements = replacements(in: bundled.map(\.file), read)
  }

  /// Returns sentences about the rules of bundles that later files define differently.
  private func replacements(in bundled: [RuleFile], _ files: [RuleFile]) -> [String] {
    if bundled.isEmpty { return [] }
    func bytes(_ name: String) -> [UInt8]? { copies.first { $0.name == name }?.bytes }
    var owners: [String: String] = [:]
    var sentences: [String] = []
    for file in bundled + files {
      for id in file.rules.map(\.rule.description.id) {
        if let owner = owners[id], bytes(owner) != bytes(file.name) {
          sentences.append("the rule \(id) of \(file.name) replaces that of \(owner)")
        }
        owners[id] = file.name
      }
    }
    return sentences
  }

  /// Returns the user's configuration, the project's configuration, and then the named files.
  ///
  /// - Parameter config: the path of the only configuration file, or `-` for none. `nil` means `$XFERLOG_CONFIG` or, if that is not
  ///   set, the usual two files.
  package static func files(rules: [String], config: String?, environment: [String: String]) throws -> [File] {
    var files: [File] = []
    if let config = config ?? environment["XFERLOG_CONFIG"] {
      if config != "-" { files.append(File(name: config, bytes: try bytes(config), isConfiguration: true)) }
    } else {
      for path in [userPath(environment), ".xferlog.yaml"].compactMap({ $0 }) where access(path, F_OK) == 0 {
        files.append(File(name: path, bytes: try bytes(path), isConfiguration: true))
      }
    }
    for name in rules { files.append(File(name: name, bytes: try bytes(name), isConfiguration: false)) }
    return files
  }

  /// `$XDG_CONFIG_HOME/xferlog/config.yaml`, else `~/.config/xferlog/config.yaml`.
  private static func userPath(_ environment: [String: String]) -> String? {
    if let directory = environment["XDG_CONFIG_HOME"], directory.hasPrefix("/") { return directory + "/xferlog/config.yaml" }
    return environment["HOME"].map { $0 + "/.config/xferlog/config.yaml" }
  }

  private static func path(_ name: String, besides file: String) -> String {
    if name.hasPrefix("/") { return name }
    guard let slash = file.lastIndex(of: "/") else { return name }
    return file[...slash] + name
  }

  /// The maximum size of a file of rules, in bytes.
  private static let limit = 16 << 20

  /// Returns the contents of a file.
  ///
  /// - Parameters:
  ///   - name: the name of the file in messages; `nil` for its path.
  ///   - place: the place that names the file; `nil` for an option.
  ///   - advice: what to do if the file cannot be read.
  package static func bytes(
    _ path: String, shownAs name: String? = nil, namedAt place: String? = nil,
    advice: String = "Name an existing, readable rule file."
  ) throws -> [UInt8] {
    func failure(_ problem: String) -> CommandExit {
      CommandExit(
        .failed,
        "\(place.map { "\($0): " } ?? "")\(name ?? path) cannot be read: \(problem).\n\(advice)"
      )
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &piece, piece.count)
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw failure(String(cString: strerror(errno)))
      }
      bytes += piece[..<count]
      if bytes.count > Self.limit { throw failure("it is larger than 16 MiB") }
    }
  }

  // MARK: Remarks

  /// Sentences about rules without positive or negative examples. Such rules are applied nevertheless.
  package var missingExamples: [String] {
    rules.users.map(\.description).filter { $0.reports.isEmpty || $0.staysSilent.isEmpty }.map { rule in
      let missing = rule.reports.isEmpty ? "reports" : "stays-silent"
      return "\(rule.origin ?? ""): \(rule.id) has no example under `\(missing)`, which `xferlog rules test` requires"
    }
  }
}
