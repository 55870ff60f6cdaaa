import ArgumentParser

/// Options that decide which results count as success.
struct OutcomeOptions: ParsableArguments {
  @Flag(help: "Exit with 4 if the input is incomplete.")
  var strict = false

  @Flag(help: "Exit with 0 even if no event was read or matched.")
  var allowEmpty = false
}
