/// The definition of one option: its names, its value, and its effect on the settings.
struct OptionSpec: Sendable {
  typealias Settings = CommandSettings
  typealias Path<Value> = any WritableKeyPath<Settings, Value> & Sendable

  let long: String
  let short: Character?
  /// The value's placeholder in the help. `nil` for a flag.
  let value: String?
  let help: String
  private(set) var verbs: Set<Verb> = [.get, .put, .request]
  private(set) var exposure = Exposure.open
  /// Whether the help lists the form `--no-…`, which every flag has.
  private(set) var listsNegation = false
  let apply: @Sendable (inout Settings, Argument) throws(OptionProblem) -> Void

  /// The argument given to an option.
  enum Argument {
    /// A flag. `false` for the form `--no-…`.
    case flag(Bool)
    case value(String)

    var isOn: Bool {
      if case .flag(let isOn) = self { isOn } else { true }
    }

    var text: String {
      if case .value(let text) = self { text } else { "" }
    }
  }

  /// The part of a value that may stay visible in the process's argument list, which every user of the machine can read.
  enum Exposure {
    /// The whole value stays visible.
    case open
    /// The whole value is hidden.
    case secret
    /// The value is a URL, whose user, password and query are hidden.
    case url
  }

  func exposing(_ exposure: Exposure) -> OptionSpec {
    var copy = self
    copy.exposure = exposure
    return copy
  }

  func listingNegation() -> OptionSpec {
    var copy = self
    copy.listsNegation = true
    return copy
  }

  /// Returns a copy of the option that is available only in the given subcommands.
  func only(_ verbs: Verb...) -> OptionSpec {
    var copy = self
    copy.verbs = Set(verbs)
    return copy
  }
}

/// An error in a command line.
struct OptionProblem: Error, Equatable {
  /// The exit code for a named file that cannot be read, same as curl's.
  static let cannotRead: Int32 = 26
  /// The exit code for a malformed URL, same as curl's.
  static let badURL: Int32 = 3

  let text: String
  let exitCode: Int32

  init(_ text: String, exitCode: Int32 = Execution.wrongUsage) { (self.text, self.exitCode) = (text, exitCode) }
}

// MARK: Option kinds
extension OptionSpec {
  static func flag(_ long: String, _ short: Character? = nil, _ path: Path<Bool>, _ help: String) -> OptionSpec {
    OptionSpec(long: long, short: short, value: nil, help: help) { $0[keyPath: path] = $1.isOn }
  }

  /// Creates a flag that sets a value. Its form `--no-…` restores the value `otherwise`.
  static func choice<Value: Sendable>(
    _ long: String, _ short: Character? = nil, _ path: Path<Value>, _ value: Value, otherwise: Value, _ help: String
  ) -> OptionSpec {
    OptionSpec(long: long, short: short, value: nil, help: help) { $0[keyPath: path] = $1.isOn ? value : otherwise }
  }

  static func text(
    _ long: String, _ short: Character? = nil, _ value: String, _ path: Path<String?>, _ help: String
  ) -> OptionSpec {
    OptionSpec(long: long, short: short, value: value, help: help) { $0[keyPath: path] = $1.text }
  }

  static func list(
    _ long: String, _ short: Character? = nil, _ value: String, _ path: Path<[String]>, _ help: String
  ) -> OptionSpec {
    OptionSpec(long: long, short: short, value: value, help: help) { $0[keyPath: path].append($1.text) }
  }

  /// Creates an option whose value is parsed by a closure.
  static func read<Value>(
    _ long: String, _ short: Character? = nil, _ value: String, _ path: Path<Value>, _ help: String,
    _ parse: @escaping @Sendable (String) throws(OptionProblem) -> Value
  ) -> OptionSpec {
    OptionSpec(long: long, short: short, value: value, help: help) { settings, argument throws(OptionProblem) in
      do throws(OptionProblem) {
        settings[keyPath: path] = try parse(argument.text)
      } catch {
        throw OptionProblem("--\(long) expects \(error.text), not '\(argument.text)'")
      }
    }
  }

  static func seconds(
    _ long: String, _ short: Character? = nil, _ path: Path<Duration?>, _ help: String
  ) -> OptionSpec {
    read(long, short, "SECONDS", path, help) { text throws(OptionProblem) in try OptionValue.seconds(text) }
  }

  static func bytes(_ long: String, _ path: Path<Int64?>, _ help: String) -> OptionSpec {
    read(long, nil, "BYTES", path, help) { text throws(OptionProblem) in try OptionValue.bytes(text) }
  }

  static func number(
    _ long: String, _ value: String, _ path: Path<Int>, _ range: ClosedRange<Int>, _ help: String
  ) -> OptionSpec {
    read(long, nil, value, path, help) { text throws(OptionProblem) in try OptionValue.number(text, range) }
  }

  static func custom(
    _ long: String, _ short: Character? = nil, _ value: String? = nil, _ help: String,
    _ apply: @escaping @Sendable (inout Settings, Argument) throws(OptionProblem) -> Void
  ) -> OptionSpec {
    OptionSpec(long: long, short: short, value: value, help: help, apply: apply)
  }
}

/// Parsers for option values. Their errors describe the expected form.
enum OptionValue {
  static func seconds(_ text: String) throws(OptionProblem) -> Duration? {
    guard let seconds = Double(text), seconds >= 0, seconds < 1e9 else {
      throw OptionProblem("a number of seconds, decimals allowed")
    }
    // Zero means no limit, as in curl.
    return seconds == 0 ? nil : .seconds(seconds)
  }

  /// Returns a number of bytes written as `500`, `10K`, `1.5M` or `2G`, with units of 1024. Returns `nil` for zero.
  static func bytes(_ text: String) throws(OptionProblem) -> Int64? {
    let units: [Character: Double] = ["b": 1, "k": 1024, "m": 1_048_576, "g": 1_073_741_824, "t": 1_099_511_627_776]
    let unit = text.last.flatMap { units[Character($0.lowercased())] }
    guard let number = Double(unit == nil ? text : String(text.dropLast())), number >= 0, number * (unit ?? 1) < 9e18 else {
      throw OptionProblem("a number of bytes, with K, M, G or T for units of 1024")
    }
    // Zero means no limit, as in curl.
    let bytes = Int64(number * (unit ?? 1))
    return bytes == 0 ? nil : bytes
  }

  static func number(_ text: String, _ range: ClosedRange<Int>) throws(OptionProblem) -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw OptionProblem(
        range.upperBound == .max
          ? "a number from \(range.lowerBound)" : "a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
