import CXferPlatform
import Foundation
import XferEngine
package import XferEvents

/// The daemon's database in its state directory, and the spool beside it.
package final class ServiceStore {
  package let generation: UInt64
  /// Where bodies wait for their apps.
  package let spool: String
  /// What was found that cannot be read or is missing, in words.
  package private(set) var damage: [String] = []
  /// What the log knows of the tasks of earlier daemons; looked up when something is damaged.
  package private(set) lazy var logged = earlier()
  private let database: TaskDatabase
  private let witness: CommitWitness
  private let earlier: () -> LoggedInventory

  /// Opens what is there. A database that is damaged is kept aside, and a new one begun; one that the disk does not let us have stays as it
  /// is, for a daemon that comes later.
  ///
  /// - Parameter earlier: what the log still tells of the daemons before; asked for when their database has lost something.
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
      let aside = Self.keepAside(path)
      damage.append(
        isThere
          ? "the key of the database is gone\(aside.map { "; it is kept as \($0)" } ?? "")"
          : "the database is gone\(aside.map { "; what was beside it is kept as \($0)-wal" } ?? "")")
    }
    let (opened, problem) = try Self.saying(path) {
      do {
        return (try TaskDatabase(path: path, seal: seal, witnessed: witnessed), String?.none)
      } catch  where TaskDatabase.isDamage(error) {
        guard let aside = Self.keepAside(path) else { throw error }
        return (
          try TaskDatabase(path: path, seal: seal, witnessed: witnessed),
          "the database could not be read (\(error)) and is kept as \(aside)"
        )
      }
    }
    if let problem { damage.append(problem) }
    damage += opened.flaws
    // What was given out before is not given out again, though nobody counted it here.
    let logged = damage.isEmpty ? nil : earlier()
    (database, self.witness) = (opened, witness)
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

  /// - Returns: the name under which the database and its log are now; `nil` when there is nothing or it cannot be moved.
  private static func keepAside(_ path: String) -> String? {
    guard let aside = AsideName.free(path) else { return nil }
    let moved = ["", "-wal", "-shm"].map { rename(path + $0, aside + $0) == 0 }
    // What is left would be taken for a part of the new one.
    guard moved.contains(true), ["", "-wal", "-shm"].allSatisfy({ access(path + $0, F_OK) != 0 }) else { return nil }
    return aside
  }

  /// Puts what is there into the core.
  ///
  /// - Returns: how many tasks cannot be read.
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
      damage += names.map { "the row of \(what) \($0) cannot be read" }
      try Self.saying("the database") { try database.setAside(kind, names) }
    }
    return tasks.damaged.count
  }

  /// The run of the machine in which the database was last written to; `nil` when nobody knows.
  package private(set) var lastRun: MachineRun?

  /// Writes down in which run of the machine the database is used.
  package func note(_ run: MachineRun) throws {
    try Self.saying("the database") { try commit([.init(kind: .machine, name: "run", content: run)]) }
    lastRun = run
  }

  /// Moves bodies that nobody can be given out of the spool, so that somebody may still look for them.
  ///
  /// - Returns: where they are now; `nil` when they cannot be moved.
  package func keepAside(_ paths: [String]) -> String? {
    guard let aside = AsideName.free(spool), (try? PrivateDirectory.make(aside)) != nil else { return nil }
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

/// One run of the machine, from its start to its stop.
package struct MachineRun: Codable, Sendable, Equatable {
  /// The kernel's identifier of the boot.
  package let boot: String

  package init(boot: String) { self.boot = boot }

  /// The present one; `nil` when the kernel does not say.
  package static var current: MachineRun? {
    var text = [CChar](repeating: 0, count: 64)
    guard xp_boot_id(&text, text.count) == 0 else { return nil }
    return MachineRun(boot: String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
  }
}
