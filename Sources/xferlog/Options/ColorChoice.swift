import ArgumentParser

/// When to use color. The option overrides the environment variables, and these override the check for a terminal.
package enum ColorChoice: String, CaseIterable, Sendable, ArgumentChoice {
  case auto, always, never

  package func isOn(environment: [String: String], isTerminal: Bool) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto: break
    }
    if let asked = Self.asked(by: environment) { return asked.choice == .always }
    guard let terminal = environment["TERM"], !terminal.isEmpty, terminal != "dumb" else { return false }
    return isTerminal
  }
  /// Returns the choice that variables of many programs make, and the variable that decides.
  static func asked(by environment: [String: String]) -> (choice: ColorChoice, variable: String)? {
    func isSet(_ name: String) -> Bool { environment[name].map { !$0.isEmpty && $0 != "0" } ?? false }
    if environment["NO_COLOR"].map({ !$0.isEmpty }) ?? false { return (.never, "NO_COLOR") }
    for name in ["CLICOLOR_FORCE", "FORCE_COLOR"] where isSet(name) { return (.always, name) }
    for name in ["FORCE_COLOR", "CLICOLOR"] where environment[name] == "0" { return (.never, name) }
    return nil
  }
}
