import Foundation
import XferEngine
package import XferEvents

/// The daemon's database in its state directory, and the spool beside it.
package final class ServiceStore {
  package let generation: UInt64
  /// Where bodies wait for their apps.
  package let spool: String
  /// What was found that cannot be read, in words.
  package private(set) var damage: [String] = []
  /// What is known of tasks that are not in the database any more; looked up when something is damaged.
  package private(set) lazy var logged = earlier()
  private let database: TaskDatabase
  private let earlier: () -> LoggedInventory

  /// Opens what is there. A database that is damaged is kept aside, and a new one begun; one that the disk does not let us have stays as it
  /// is, for a daemon that comes later.
  ///
  /// - Parameter earlier: what the log still tells of the daemons before; asked for when their database cannot be read.
  package init(directory: String, earlier: @escaping () -> LoggedInventory = { LoggedInventory() }) throws {
    self.earlier = earlier
    spool = "\(directory)/spool"
    do throws(PrivateDirectory.Problem) {
      for path in [directory, spool] { try PrivateDirectory.make(path) }
    } catch {
      throw ServiceError(error)
    }
    let seal = try RowSeal(file: "\(directory)/rows.key")
    let path = "\(directory)/tasks.sqlite"
    let isThere = FileManager.default.fileExists(atPath: path)
    var damage: [String] = []
    if isThere != seal.isKept {
      let aside = isThere ? Self.keepAside(path) : nil
      damage.append(aside.map { "the key of the database is gone; it is kept as \($0)" } ?? "the database is gone")
    }
    let (opened, problem) = try Self.saying(path) {
      do {
        return (try TaskDatabase(path: path, seal: seal), String?.none)
      } catch  where TaskDatabase.isDamage(error) {
        guard let aside = Self.keepAside(path) else { throw error }
        return (
          try TaskDatabase(path: path, seal: seal), "the database could not be read (\(error)) and is kept as \(aside)"
        )
      }
    }
    if let problem { damage.append(problem) }
    // What was given out before is not given out again, though nobody counted it here.
    let logged = damage.isEmpty ? nil : earlier()
    database = opened
    generation = try Self.saying(path) { try opened.nextGeneration(after: logged?.generation ?? 0) }
    self.damage = damage
    if let logged { self.logged = logged }
  }

  /// What goes wrong here keeps the daemon from serving, and is said in one way.
  private static func saying<Result>(_ path: String, _ act: () throws -> Result) throws -> Result {
    do {
      return try act()
    } catch let error as ServiceError {
      throw error
    } catch {
      throw ServiceError(.cannotStore, "\(path) cannot be used: \(error)")
    }
  }

  /// - Returns: where it is now; `nil` when it cannot be moved.
  private static func keepAside(_ path: String) -> String? {
    let aside = (1...).lazy.map { "\(path).damaged-\($0)" }.first { !FileManager.default.fileExists(atPath: $0) }!
    for suffix in ["-wal", "-shm"] { _ = rename(path + suffix, aside + suffix) }
    return rename(path, aside) == 0 ? aside : nil
  }

  /// Puts what is there into the core.
  ///
  /// - Returns: how many tasks cannot be read.
  package func load(into core: inout ServiceCore) throws -> Int {
    let (tasks, sessions, apps, devices) = try Self.saying("the database") {
      (
        try database.contents(.task, as: CarriedTask.self), try database.contents(.session, as: CarriedSession.self),
        try database.contents(.app, as: CarriedApp.self), try database.contents(.device, as: DeviceConditions.self)
      )
    }
    for task in tasks.rows { if let uid = TaskUID(task.new.uid) { core.tasks[uid] = task } }
    for session in sessions.rows { core.sessions[session.key] = session }
    for app in apps.rows { core.apps[app.name] = app }
    if let conditions = devices.rows.first { core.conditions = conditions }
    for (what, names) in [
      ("task", tasks.damaged), ("session", sessions.damaged), ("app", apps.damaged), ("device", devices.damaged),
    ] {
      damage += names.map { "the row of \(what) \($0) cannot be read" }
    }
    for (kind, names) in [(TaskDatabase.Kind.task, tasks.damaged), (.session, sessions.damaged), (.app, apps.damaged)] {
      try database.setAside(kind, names)
    }
    return tasks.damaged.count
  }

  /// Moves bodies that nobody can be given out of the spool, so that somebody may still look for them.
  ///
  /// - Returns: where they are now; `nil` when they cannot be moved.
  package func keepAside(_ paths: [String]) -> String? {
    let aside = (1...).lazy.map { "\(self.spool).damaged-\($0)" }.first { !FileManager.default.fileExists(atPath: $0) }!
    guard (try? PrivateDirectory.make(aside)) != nil else { return nil }
    for path in paths {
      let name = path.split(separator: "/").last ?? ""
      guard rename(path, "\(aside)/\(name)") == 0 else { return nil }
    }
    return aside
  }

  package enum Item: Hashable {
    case task(TaskUID)
    case session(SessionKey)
    case app(String)
    case conditions
  }

  /// Writes these things as the core has them, all or none.
  package func store(_ items: Set<Item>, of core: ServiceCore) throws {
    if items.isEmpty { return }
    try database.store(
      items.map { item in
        switch item {
        case .task(let uid): .init(kind: .task, name: "\(uid)", content: core.tasks[uid])
        case .session(let key): .init(kind: .session, name: "\(key.app)\n\(key.identifier)", content: core.sessions[key])
        case .app(let name): .init(kind: .app, name: name, content: core.apps[name])
        case .conditions: .init(kind: .device, name: "conditions", content: core.conditions)
        }
      })
  }
}
