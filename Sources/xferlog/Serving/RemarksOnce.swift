import Synchronization
import XferImport
import XferReading

/// The surroundings of a command that reads its inputs again and again: it tells the user each remark only once.
final class RemarksOnce: ReadingContext {
  private let surroundings: Surroundings
  private let made = Mutex<Set<String>>([])

  init(_ surroundings: Surroundings) { self.surroundings = surroundings }

  var environment: [String: String] { surroundings.environment }
  var importers: [any EventImporter] { surroundings.importers }
  var importOptions: ImportOptions { surroundings.importOptions }
  var input: Int32 { surroundings.input }

  func remark(_ message: UserMessage) {
    if made.withLock({ $0.insert(message.description).inserted }) { surroundings.remark(message) }
  }

  func absence(of argument: String) -> UserMessage { surroundings.absence(of: argument) }
}
