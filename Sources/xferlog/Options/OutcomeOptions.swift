import ArgumentParser

/// Options that decide which results count as success.
struct OutcomeOptions: ParsableArguments {
  @Flag(help: "End with 4 when the input is incomplete.")
  var strict = false

  @Flag(help: "End with 0 although no event was read or matched.")
  var allowEmpty = false
}
