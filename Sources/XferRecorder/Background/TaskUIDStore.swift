public import Foundation
public import XferEvents

/// Keeps the uids of a background session's tasks while the app does not run, so that a log knows them again.
///
/// A task of a background session outlives its app, and comes back with its session's identifier and its number. What the
/// log calls it comes back only from here. `taskDescription` stays the app's.
public protocol TaskUIDStore: Sendable {
  /// - Returns: `nil` for a task that was never kept.
  func uid(session: String, task: Int) -> TaskUID?
  func keep(_ uid: TaskUID, session: String, task: Int)
  func forget(session: String, task: Int)
}

/// A directory with a small file for each task that has not ended. Failing to write costs the uid, and nothing else.
public struct TaskUIDDirectory: TaskUIDStore {
  public let directory: URL

  /// - Parameter directory: made when there is none; not one that the system empties.
  public init(_ directory: URL) { self.directory = directory }

  public func uid(session: String, task: Int) -> TaskUID? {
    guard let bytes = try? Data(contentsOf: file(session, task)) else { return nil }
    return TaskUID(String(decoding: bytes, as: UTF8.self))
  }

  public func keep(_ uid: TaskUID, session: String, task: Int) {
    try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try? Data(uid.description.utf8).write(to: file(session, task), options: .atomic)
  }

  public func forget(session: String, task: Int) { try? FileManager.default.removeItem(at: file(session, task)) }

  private func file(_ session: String, _ task: Int) -> URL {
    // An identifier may be any text; what is no letter or digit is encoded, so that it is one name in this directory.
    let name = session.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    return directory.appendingPathComponent("\(name).\(task)")
  }
}
