import XferReading
import XferReport
import XferRules
import XferYAML

/// The user's settings, from configuration files and the environment. The environment takes precedence over files, and an option of a
/// command over both.
struct Settings: Sendable {
  struct Value: Equatable, Sendable {
    var text: String
    var origin: SettingOrigin
  }

  private var given: [SettingName: Value] = [:]

  /// The defaults.
  init() {}

  /// - Parameters:
  ///   - config: the value of `--config`.
  ///   - environment: the environment without empty variables.
  init(config: String?, environment: [String: String]) throws {
    for file in try RuleSources.files(rules: [], config: config, environment: environment) {
      do {
        for setting in try RuleFile(name: file.name, bytes: file.bytes, namesFiles: true).settings {
          if let problem = setting.name.problem(with: setting.text) {
            throw CommandExit(.wrongUsage, "\(setting.place): `\(setting.name.rawValue)` cannot be '\(setting.text)': \(problem)")
          }
          given[setting.name] = Value(text: setting.text, origin: .file(setting.place))
        }
      } catch let errors as RuleErrors {
        throw CommandExit(.wrongUsage, errors.message)
      }
    }
    if let (choice, variable) = ColorChoice.asked(by: environment) {
      given[.color] = Value(text: choice.rawValue, origin: .variable(variable))
    }
    for name in SettingName.allCases {
      guard let variable = name.variables.first(where: { environment[$0] != nil }), let text = environment[variable] else {
        continue
      }
      if let problem = name.problem(with: text) {
        throw CommandExit(.wrongUsage, "the environment variable \(variable) cannot be '\(text)': \(problem)")
      }
      given[name] = Value(text: text, origin: .variable(variable))
    }
  }

  subscript(name: SettingName) -> Value { given[name] ?? Value(text: name.standard, origin: .standard) }

  /// Sets a value that an option gives.
  mutating func set(_ name: SettingName, to text: String, by option: String) {
    given[name] = Value(text: text, origin: .flag(option))
  }

  // MARK: Typed values

  var color: ColorChoice { ColorChoice(rawValue: self[.color].text) ?? .auto }
  var failOn: ReplayCommand.Limit { ReplayCommand.Limit(rawValue: self[.failOn].text) ?? .warning }
  var paging: PagingChoice { PagingChoice(rawValue: self[.paging].text) ?? .auto }
  var time: TimeStyle { TimeStyle(rawValue: self[.time].text) ?? .absolute }
  var width: LineWidth { LineWidth(argument: self[.width].text) ?? .auto }
  var zone: ZoneChoice { ZoneChoice(self[.zone].text) ?? .auto }
}
