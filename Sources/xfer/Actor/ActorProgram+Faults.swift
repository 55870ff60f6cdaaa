import Foundation
import Synchronization
import XferEngine
import XferEvents
import XferLogStore
import XferScript

extension ActorProgram {
  /// Carries out an action that ends, blocks or burdens the process.
  func fail(_ verb: String, _ arguments: ActorArguments, _ context: ActorContext) throws(ActorFailure) {
    switch verb {
    case "crash": crash(arguments.text("how") ?? "trap")
    case "exit":
      let code = arguments.integer("code") ?? 0
      if arguments.flag("closes") ?? true { log.close(exitCode: code, reason: .exitCall) }
      exit(Int32(code))
    case "hang": while true { pause() }
    case "block": Thread.sleep(forTimeInterval: arguments.duration("time")?.inSeconds ?? 0)
    case "spin":
      let end = ContinuousClock.now + (arguments.duration("time") ?? .zero)
      while ContinuousClock.now < end {}
    case "lock": try lock(arguments, context)
    case "unlock": try unlock(arguments, context)
    case "wait": try wait(arguments, context)
    case "sync-log": do { try log.sync() } catch { throw ActorFailure("\(error)") }
    default: log.close(exitCode: 0, reason: .exitCall)
    }
  }

  private func crash(_ how: String) {
    let signals = ["abort": SIGABRT, "segv": SIGSEGV, "fpe": SIGFPE, "ill": SIGILL]
    guard let signal = signals[how] else { fatalError("the script of \(script.title) says crash") }
    kill(getpid(), signal)
    while true { pause() }
  }

  // MARK: Locks

  private func lock(_ arguments: ActorArguments, _ context: ActorContext) throws(ActorFailure) {
    let name = text(arguments.text("name") ?? "", context)
    try? FileManager.default.createDirectory(atPath: place.locks, withIntermediateDirectories: true)
    let descriptor = open("\(place.locks)/\(name)", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw ActorFailure("the lock \(name) cannot be opened: \(String(cString: strerror(errno)))") }
    let id = CorrelationID(.random(in: 1 ... .max))
    let start = ContinuousClock.now
    if let limit = arguments.duration("within") {
      while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
        if ContinuousClock.now - start >= limit {
          close(descriptor)
          log.emit(AppLockTimedOut(lock: id, name: name, elapsed: ContinuousClock.now - start))
          throw ActorFailure("the lock \(name) was not free within \(limit)")
        }
        poll(nil, 0, 10)
      }
    } else {
      while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    }
    log.emit(AppLockTaken(lock: id, name: name))
    state.withLock { $0.locks[name] = HeldLock(descriptor: descriptor, id: id) }
  }

  private func unlock(_ arguments: ActorArguments, _ context: ActorContext) throws(ActorFailure) {
    let name = text(arguments.text("name") ?? "", context)
    guard let held = state.withLock({ $0.locks.removeValue(forKey: name) }) else {
      throw ActorFailure("the lock \(name) is not held")
    }
    log.emit(AppLockReleased(lock: held.id, name: name))
    close(held.descriptor)
  }

  // MARK: Waits

  private func wait(_ arguments: ActorArguments, _ context: ActorContext) throws(ActorFailure) {
    let limit = arguments.duration("within") ?? .seconds(10)
    let end = ContinuousClock.now + limit
    let file = arguments.text("file").map { text($0, context) }
    let task = file == nil ? try self.task(arguments, context) : nil
    while true {
      if let file, FileManager.default.fileExists(atPath: file) { return }
      if let task, task.state == .completed { return }
      if ContinuousClock.now >= end { throw ActorFailure("timed out after \(limit)") }
      poll(nil, 0, 10)
    }
  }
}
