public import Foundation
public import XferEvents

/// A persistent store for the uids of background tasks, so that logs identify the same task across app launches.
///
/// A task of a background session outlives its app. After a relaunch, URLSession restores only the session identifier and the
/// task number, so the recorder needs this store to find the uid. It does not use `taskDescription`.
public protocol TaskUIDStore: Sendable {
  /// Returns the stored uid of a task, or `nil` when none was stored.
  func uid(session: String, task: Int) -> TaskUID?
  /// Stores the uid of a task.
  func keep(_ uid: TaskUID, session: String, task: Int)
  /// Removes the uid of a task that has completed.
  func forget(session: String, task: Int)
}

/// A task uid store that keeps one small file for each unfinished task. A failed write loses only that task's uid.
public struct TaskUIDDirectory: TaskUIDStore {
  public let directory: URL

  /// Creates a store.
  ///
  /// - Parameter directory: The directory, created if missing. Do not use a directory that the system may empty, such as
  ///   Caches.
  public init(_ directory: URL) { self.directory = directory }

  public func uid(session: String, task: Int) -> TaskUID? {
    guard let bytes = try? Data(contentsOf: file(session, task)) else { return nil }
    return TaskUID(String(decoding: bytes, as: UTF8.self))
  }

  public func keep(_ uid: TaskUID, session: String, task: Int) {
    let bytes = Data(uid.description.utf8)
    #if canImport(Darwin) && !os(macOS)
      // The system launches an app for its background sessions while the device is locked, and the app must read the uids then.
      try? FileManager.default.createDirectory(
        at: directory, withIntermediateDirectories: true,
        attributes: [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication])
      try? bytes.write(
        to: file(session, task), options: [.atomic, .completeFileProtectionUntilFirstUserAuthentication])
    #else
      try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      try? bytes.write(to: file(session, task), options: .atomic)
    #endif
  }

  public func forget(session: String, task: Int) { try? FileManager.default.removeItem(at: file(session, task)) }

  private func file(_ session: String, _ task: Int) -> URL {
    // A session identifier may contain any character, so it is percent-encoded to form a single file name.
    let name = session.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    return directory.appendingPathComponent("\(name).\(task)")
  }
}
