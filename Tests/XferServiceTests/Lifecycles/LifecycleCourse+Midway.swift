import Foundation
import LogTestSupport
import XferScript

// Events while the server holds back responses.
extension LifecycleCourse {
  func goOnMidway(_ first: Running) async throws {
    let held = Set(lifecycle.tasks.filter(\.isHeld).map { "/\($0.name)" })
    try await wait("the held requests") {
      held.isSubset(of: Set(device.server.requests.filter { $0.phase == .hanging }.map(\.target)))
    }
    let isThere = lives.contains { $0.isRunning }
    // A running app receives the results of all other tasks first. Without a running app, the results are delivered later.
    if isThere {
      try await wait("the results of the other tasks") {
        lifecycle.tasks.allSatisfy { $0.isHeld || !story.told($0.name).isEmpty }
      }
    }
    if lifecycle.firstLife == .killedMidway {
      kill(first)
      endedUnseen = Set(lifecycle.tasks.map(\.name).filter { story.told($0).isEmpty })
      if lifecycle.cause == .wakeNeverHappens { unlink(program) }
      if lifecycle.isReopened, lifecycle.cause != .daemonLosesTasks {
        try start("open")
        try await wait("the reopened app") { story.lives.count == 2 && story.lives[1].lines.contains("opened") }
      }
    }
    switch lifecycle.trouble {
    case .networkDrops:
      try play("conditions", "--network", "down")
      try play("conditions", "--network", "up")
    case .daemonRestarts where lifecycle.cause == .daemonLosesTasks: try await loseTasks()
    case .daemonRestarts:
      device.stopDaemon()
      try await startDaemonAgain()
    case .daemonIsKilled:
      device.killDaemon()
      killed.formUnion(daemons.map(\.pid))
      try await startDaemonAgain()
    case nil: break
    }
    if lifecycle.cause == .forceQuit { try await sweepAway(first) }
  }

  private func startDaemonAgain() async throws {
    // A running app starts the daemon itself.
    if lives.contains(where: \.isRunning) {
      try await wait("the next daemon") { device.daemon != nil }
    } else {
      daemons.append(try await device.startListeningDaemon())
    }
  }

  private func loseTasks() async throws {
    let running = lives.filter(\.isRunning)
    // Stops all app processes, so that none starts a daemon before the database is damaged.
    for life in running { Foundation.kill(life.pid, SIGSTOP) }
    device.stopDaemon()
    let path = device.path("state/xferd/tasks.sqlite")
    for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
    try Data(repeating: 0x55, count: 9000).write(to: URL(fileURLWithPath: path))
    for life in running { Foundation.kill(life.pid, SIGCONT) }
    if running.isEmpty {
      daemons.append(try await device.startListeningDaemon())
      try start("open")
    }
  }

  private func sweepAway(_ first: Running) async throws {
    if lifecycle.quit != .inFront {
      try play("app", "background", "lifecycle-probe")
      if lifecycle.quit == .suspended {
        try play("conditions", "--clock", "+5s")
        try await wait("the app to be stopped") { device.isStopped(first.pid) }
      }
    }
    try play("app", "force-quit", "lifecycle-probe")
    killed.insert(first.pid)
    try await wait("the app's end") { first.status != nil }
    try start("open")
  }
}
