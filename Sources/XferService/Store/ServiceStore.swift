import CXferPlatform
import Foundation
import XferEngine
package import XferEvents

/// The daemon's persistent state: the task database and the spool, both in the state directory.
package final class ServiceStore {
  package let generation: UInt64
  /// The directory of bodies that wait for delivery to their apps.
  package let spool: String
  /// Descriptions of missing or unreadable data found while opening.
  package private(set) var damage: [String] = []
  /// The tasks of earlier daemons according to the log. Read only when data is damaged or missing.
  package private(set) lazy var logged = earlier()
  private let database: TaskDatabase
  private let witness: CommitWitness
  private let earlier: () -> LoggedInventory

  /// Opens the database, or creates it. A damaged database is moved aside and replaced by a new one. A database that cannot be
  /// read because of a disk error is left unchanged for a later daemon.
  ///
  /// - Parameter earlier: Reads the tasks of earlier daemons from the log. Called only when the database has lost data or is new.
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
    for suffix in ["", "-wal", "-shm"] { try StateFile.check(path + suffix) }
    let witness = try CommitWitness(file: "\(directory)/tasks.commits")
    let witnessed = witness.isKept ? witness.commit : nil
    let isThere = FileManager.default.fileExists(atPath: path)
    var damage = seal.remarks
    if isThere != seal.isKept {
      let aside = Self.moveAside(path)
      damage.append(
        isThere
          ? "the key of the database is missing\(aside.map { "; moved the database to \($0)" } ?? "")"
          : "the database is missing\(aside.map { "; moved its write-ahead log to \($0)-wal" } ?? "")")
    }
    let (opened, problem) = try Self.reportingErrors(path) {
      do {
        return (try TaskDatabase(path: path, seal: seal, witnessed: witnessed), String?.none)
      } catch  where TaskDatabase.isDamage(error) {
        guard let aside = Self.moveAside(path) else { throw error }
        return (
          try TaskDatabase(path: path, seal: seal, witnessed: witnessed),
          "the database is damaged (\(error)); moved it to \(aside)"
        )
      }
    }
    if let problem { damage.append(problem) }
    damage += opened.flaws
    // Continues after the last generation in the log, because a damaged database may lack the latest generations, whose IDs must
    // not be reused.
    let isNew = !isThere && !seal.isKept
    let logged = isNew || !damage.isEmpty ? earlier() : nil
    if isNew, let logged, logged.generation > 0 {
      damage.append("the database and its key are missing, although the log has \(logged.generation) generations of the daemon")
    }
    (database, self.witness) = (opened, witness)
    generation = try Self.reportingErrors(path) { try opened.nextGeneration(after: logged?.generation ?? 0) }
    self.damage = damage
    if let logged { self.logged = logged }
  }

  /// Runs an operation and converts any error to a `ServiceError`, which keeps the daemon from serving.
  private static func reportingErrors<Result>(_ path: String, _ act: () throws -> Result) throws -> Result {
    do {
      return try act()
    } catch let error as ServiceError {
      throw error
    } catch {
      throw ServiceError(.cannotStore, "cannot use \(path): \(error)")
    }
  }

  /// Moves the database and its write-ahead log aside.
  ///
  /// - Returns: The new path of the database. `nil` when nothing was moved.
  private static func moveAside(_ path: String) -> String? {
    guard let aside = DamagedName.free(path) else { return nil }
    let moved = ["", "-wal", "-shm"].map { rename(path + $0, aside + $0) == 0 }
    // SQLite would treat a remaining file as part of the new database, so the move has failed if one remains.
    guard moved.contains(true), ["", "-wal", "-shm"].allSatisfy({ access(path + $0, F_OK) != 0 }) else { return nil }
    return aside
  }

  /// Loads all readable rows into the core and marks the others as unreadable.
  ///
  /// - Returns: The number of unreadable tasks.
  package func load(into core: inout ServiceCore) throws -> Int {
    let tasks = database.contents(.task, as: CarriedTask.self) { $1.flaw(name: $0) }
    let sessions = database.contents(.session, as: CarriedSession.self)
    let apps = database.contents(.app, as: CarriedApp.self) { $1.flaw(name: $0) }
    let devices = database.contents(.device, as: DeviceConditions.self) { $1.flaw }
    let machines = database.contents(.machine, as: MachineRun.self)
    database.forgetContents()
    for task in tasks.values { if let uid = TaskUID(task.value.new.uid) { core.tasks[uid] = task.value } }
    for session in sessions.values { core.sessions[session.value.key] = session.value }
    for app in apps.values { core.apps[app.value.name] = app.value }
    if let conditions = devices.values.first { core.conditions = conditions.value }
    lastRun = machines.values.first?.value
    for (what, kind, names) in [
      ("task", TaskDatabase.Kind.task, tasks.damaged), ("session", .session, sessions.damaged), ("app", .app, apps.damaged),
      ("device", .device, devices.damaged), ("machine", .machine, machines.damaged),
    ] {
      damage += names.map { "the database row of \(what) \($0) cannot be read" }
      try Self.reportingErrors("the database") { try database.markUnreadable(kind, names) }
    }
    return tasks.damaged.count
  }

  /// The machine run in which the database was last used. `nil` when unknown.
  package private(set) var lastRun: MachineRun?

  /// Stores the current machine run.
  package func note(_ run: MachineRun) throws {
    try Self.reportingErrors("the database") { try commit([.init(kind: .machine, name: "run", content: run)]) }
    lastRun = run
  }

  /// Moves bodies of lost tasks out of the spool, so that the user can still find them.
  ///
  /// - Returns: The directory that contains the files now. `nil` when they cannot be moved.
  package func moveAside(_ paths: [String]) -> String? {
    guard let aside = DamagedName.free(spool), (try? PrivateDirectory.make(aside)) != nil else { return nil }
    for path in paths {
      let name = path.fileName ?? ""
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

  /// Stores the core's current state of the items in one commit.
  package func store(_ items: Set<Item>, of core: ServiceCore) throws {
    if items.isEmpty { return }
    try commit(
      items.map { item in
        switch item {
        case .task(let uid): .init(kind: .task, name: "\(uid)", content: core.tasks[uid])
        case .session(let key): .init(kind: .session, name: "\(key.app)\n\(key.identifier)", content: core.sessions[key])
        case .app(let name): .init(kind: .app, name: name, content: core.apps[name])
        case .conditions: .init(kind: .device, name: "conditions", content: core.conditions)
        }
      })
  }

  private func commit(_ changes: [TaskDatabase.Change]) throws {
    try database.store(changes)
    witness.note(database.commit)
  }
}

/// One run of the machine, from boot to shutdown.
package struct MachineRun: Codable, Sendable, Equatable {
  /// The kernel's identifier of the boot.
  package let boot: String

  package init(boot: String) { self.boot = boot }

  /// The current machine run. `nil` when the kernel does not report a boot ID.
  package static var current: MachineRun? {
    var text = [CChar](repeating: 0, count: 64)
    guard xp_boot_id(&text, text.count) == 0 else { return nil }
    return MachineRun(boot: String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
  }
}
