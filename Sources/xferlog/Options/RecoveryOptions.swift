public import ArgumentParser
public import XferLogStore

/// The option that decides how damaged logs are read.
struct RecoveryOptions: ParsableArguments {
  @Option(
    help: """
      strict: read nothing that is not whole, and end with 4; tail: read on behind damage, torn ends are normal; prefix: read up to \
      the first damage; salvage: read everything that can be had, wherever it stands.
      """)
  var recovery: RecoveryMode = .tail
}

extension RecoveryMode: ExpressibleByArgument {}
