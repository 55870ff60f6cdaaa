package import XferEvents

extension WriterContext {
  /// The writer of a foreign log.
  ///
  /// - Parameters:
  ///   - name: the name of the program.
  ///   - seed: texts that tell this process life from all others. An empty list means that the log does not tell process lives apart.
  ///   - installation: a text that all logs of one device have in common.
  package static func foreign(
    _ name: String?, pid: Int? = nil, role: WriterRole = .app, seed: [String] = [], boot: BootID? = nil, installation: String,
    coverage: ImportCoverage
  ) -> WriterContext {
    var hash = NameHash()
    for text in seed { hash.add(text) }
    let high = hash.value
    hash.add("launch")
    var context = WriterContext(
      launch: seed.isEmpty ? nil : LaunchID(high: high, low: hash.value), boot: boot, pid: pid, role: role, executable: name,
      installation: .foreign(installation))
    context.coverage = coverage
    return context
  }
}

extension InstallationID {
  package static func foreign(_ name: String) -> InstallationID {
    var hash = NameHash()
    hash.add(name)
    return InstallationID(high: 0x666f_7265_6967_6e, low: hash.value)
  }
}

extension TaskUID {
  /// The same identity in every run, for a task that the log names by texts of its own.
  package init(foreign texts: String...) {
    var hash = NameHash()
    for text in texts { hash.add(text) }
    let high = hash.value
    hash.add("task")
    self.init(high: high, low: hash.value)
  }
}

extension ImportedInput {
  /// The name of the file without its directory, as the name of a session.
  package var shortName: String {
    name == "-" ? "stdin" : name.fileName ?? name
  }
}

extension Moment {
  /// Returns the moment some nanoseconds later, on the clocks that this moment has.
  package func advanced(by nanoseconds: Int64) -> Moment {
    Moment(
      monotonic: monotonic.map { $0.addingClamped(nanoseconds) }, boottime: boottime.map { $0.addingClamped(nanoseconds) },
      wall: wall.map { WallTime(nanoseconds: $0.nanoseconds.addingClamped(nanoseconds)) })
  }

  package init(wallNanoseconds: Int64?) { self.init(wall: wallNanoseconds.map { WallTime(nanoseconds: $0) }) }
}
