import ArgumentParser

/// When to use color. The option overrides the environment variables, and these override the check for a terminal.
package enum ColorChoice: String, CaseIterable, Sendable, ExpressibleByArgument {
  case auto, always, never

  package func isOn(environment: [String: String], isTerminal: Bool) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto: break
    }
    func isSet(_ name: String) -> Bool { environment[name].map { !$0.isEmpty && $0 != "0" } ?? false }
    if environment["NO_COLOR"].map({ !$0.isEmpty }) ?? false { return false }
    if isSet("CLICOLOR_FORCE") || isSet("FORCE_COLOR") { return true }
    if environment["FORCE_COLOR"] == "0" || environment["CLICOLOR"] == "0" { return false }
    guard let terminal = environment["TERM"], !terminal.isEmpty, terminal != "dumb" else { return false }
    return isTerminal
  }
}
