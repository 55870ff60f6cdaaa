/// The settings that a configuration file may contain in addition to rules, limits and queries.
package enum SettingName: String, CaseIterable, Sendable {
  case color
  case failOn = "fail-on"
  case pager, paging, time, width, zone
}
