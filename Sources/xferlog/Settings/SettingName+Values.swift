import XferReport
import XferRules

extension SettingName {
  /// The environment variables that set it, the strongest first.
  var variables: [String] {
    let own = "XFERLOG_" + rawValue.uppercased().replacing("-", with: "_")
    return self == .pager ? [own, "PAGER"] : [own]
  }

  /// The value if none is given.
  var standard: String {
    switch self {
    case .color, .paging, .width, .zone: "auto"
    case .failOn: "warning"
    case .pager: "less"
    case .time: "absolute"
    }
  }

  /// A clause that says which values are accepted; `nil` if the value is one of them.
  func problem(with value: String) -> String? {
    switch self {
    case .color: Self.unless(ColorChoice(rawValue: value) != nil, ColorChoice.allCases.map(\.rawValue))
    case .failOn: Self.unless(ReplayCommand.Limit(rawValue: value) != nil, ReplayCommand.Limit.allCases.map(\.rawValue))
    case .paging: Self.unless(PagingChoice(rawValue: value) != nil, PagingChoice.allCases.map(\.rawValue))
    case .time: Self.unless(TimeStyle(rawValue: value) != nil, TimeStyle.allCases.map(\.rawValue))
    case .pager: value.isEmpty ? "expected a command, such as less" : nil
    case .width: LineWidth(argument: value) == nil ? "expected auto, none or a number of columns from 20 to 10000" : nil
    case .zone:
      ZoneChoice(value) == nil ? "expected auto, utc, local, an offset such as +02:00 or a name such as Europe/Berlin" : nil
    }
  }

  private static func unless(_ isKnown: Bool, _ known: [String]) -> String? {
    isKnown ? nil : "expected " + known.dropLast().joined(separator: ", ") + " or " + (known.last ?? "")
  }
}
