import Synchronization

/// The journal of a log and its file. Results from `xferd` change the journal at any time, so each change is made under a lock.
final class ShipJournalFile: Sendable {
  let path: String
  private let journal: Mutex<ShipJournal>

  /// Reads the file.
  init(_ path: String, destination: String) throws(CommandExit) {
    self.path = path
    journal = Mutex(try ShipJournal.read(path, destination: destination))
  }

  var contents: ShipJournal { journal.withLock { $0 } }

  /// Changes the journal, and replaces the file if the journal is different then.
  func update<Result>(_ change: (inout ShipJournal) -> sending Result) throws(CommandExit) -> sending Result {
    try journal.withLock { journal throws(CommandExit) in
      var changed = journal
      let result = change(&changed)
      if changed != journal { try changed.write(path) }
      journal = changed
      return result
    }
  }
}
