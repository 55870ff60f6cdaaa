import XferEvents
import XferLogStore
import XferReport

extension StorageDocument {
  /// - Parameter reader: a reader of the logs.
  init(_ reader: LogReader) {
    let account = StorageAccount(reader)
    self.init(
      events: account.events.sorted { $0.key < $1.key }.map { number, share in
        Share(EventKind(rawValue: number)?.name ?? "event \(number)", count: share.count, bytes: share.bytes)
      },
      rest: [
        Share("strings", count: account.strings.count, bytes: account.strings.bytes),
        Share("tasks", count: account.tasks.count, bytes: account.tasks.bytes),
        Share("layouts", count: account.layouts.count, bytes: account.layouts.bytes),
        Share("headers and indexes", bytes: account.headers), Share("unused room", bytes: account.unused),
        Share("damaged", bytes: account.damaged),
      ],
      total: account.total)
  }
}
