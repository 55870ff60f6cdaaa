import ArgumentParser
import XferReading

/// Options that decide which results count as success.
struct OutcomeOptions: ParsableArguments, OutcomePolicy {
  @Flag(
    help: """
      Exit with 4 if the input is incomplete: part of it is unreadable, damaged, torn or missing, or (except in show, tail and \
      export) a log stops with tasks open.
      """)
  var strict = false

  @Flag(help: "Exit with 0, not 3, if there is no log, no event or no matching event.")
  var allowEmpty = false
}
