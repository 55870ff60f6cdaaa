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

  package struct File {
    package let name: String
    package let bytes: [UInt8]
    /// Whether the file's `rules` may name other files.
    package let isConfiguration: Bool
  }

  /// - Parameter optionsText: the limits as typed, which become a part of the identity.
  package init(_ files: [File], limits: [RuleFile.WrittenLimit], optionsText: [String]) throws {
    var read: [RuleFile] = []
    var identity: [String] = []
    do {
      for file in files {
        let rules = try RuleFile(name: file.name, bytes: file.bytes, namesFiles: file.isConfiguration)
        identity.append("\(file.name)\n\(String(decoding: file.bytes, as: UTF8.self))")
        // Files that a configuration names come before the configuration's own rules.
        for name in rules.files {
          let bytes = try Self.bytes(Self.path(name.name, besides: file.name), namedAt: "\(name.place)")
          read.append(try RuleFile(name: Self.path(name.name, besides: file.name), bytes: bytes))
          identity.append("\(name.name)\n\(String(decoding: bytes, as: UTF8.self))")
        }
        read.append(rules)
      }
      rules = try RuleSet(read, limits: limits)
    } catch let errors as RuleErrors {
      throw CommandExit(.wrongUsage, errors.description)
    }
    self.identity = (identity + optionsText).joined(separator: "\u{0}")
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
  ///   - place: the place that names the file; `nil` for an option.
  ///   - advice: what to do if the file cannot be read.
  package static func bytes(
    _ path: String, namedAt place: String? = nil, advice: String = "Name an existing, readable rule file."
  ) throws -> [UInt8] {
    func failure(_ problem: String) -> CommandExit {
      CommandExit(
        .failed,
        "\(place.map { "\($0): " } ?? "")\(path) cannot be read: \(problem).\n\(advice)"
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
