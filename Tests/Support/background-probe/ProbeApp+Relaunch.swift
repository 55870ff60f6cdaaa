import Foundation
import Synchronization
import XferEngine

// How an app dies with its downloads under way, and what its next lives make of them.
//
// - `until=undelivered` stops the process when its downloads were begun, `until=inCallback` keeps the first session's first callback for
//   ever and begins the others' downloads there: somebody kills it then. Both begin when there is a file `go` in the directory `signals`.
// - `dies=1`: the first life that is woken is killed where it gets its first wake.
// - `remake`: what a life that is woken does with the session: makes it (`right`), another in its place (`wrong`), nothing (`none`), or
//   makes it when it has called the handler (`late`). One that makes no right one says `idle` and waits for a file `end`.
extension ProbeApp {
  func beginToDie() {
    say("opened")
    // The main queue has to be free, for callbacks.
    DispatchQueue.global().async {
      self.awaitSignal("go")
      for (place, (url, identifier)) in zip(self.urls, self.identifiers).enumerated() {
        self.begin(url, in: identifier, isKept: place > 0 && self.until == "inCallback")
      }
      if self.until == "undelivered" { raise(SIGSTOP) }
    }
  }

  func blockForEver() -> Never {
    for task in state.withLock({ $0.kept }) { task.resume() }
    say("blocked")
    while true { pause() }
  }

  func take(_ identifier: String, _ completionHandler: @escaping @Sendable () -> Void) {
    if options["dies"] != nil, isFirstWoken { kill(getpid(), SIGKILL) }
    switch options["remake"] ?? "right" {
    case "wrong":
      state.withLock { $0.handlers[identifier] = completionHandler }
      open("\(identifier).v2")
      session("\(identifier).v2")?.getAllTasks { _ in DispatchQueue.main.async { self.idle(identifier) } }
    case "none": idle(identifier)
    case "late":
      completionHandler()
      DispatchQueue.main.async { self.open(identifier) }
    default:
      state.withLock { $0.handlers[identifier] = completionHandler }
      open(identifier)
    }
  }

  /// - Returns: whether that was the last session that the app was woken for.
  func isDone(_ identifier: String) -> Bool {
    state.withLock { state in
      state.done.insert(identifier)
      return state.done.isSuperset(of: identifiers)
    }
  }

  private func idle(_ identifier: String) {
    guard isDone(identifier) else { return }
    say("idle")
    DispatchQueue.global().async {
      self.awaitSignal("end")
      self.finish(0)
    }
  }

  private func awaitSignal(_ name: String) {
    while access("\(options["signals"] ?? ".")/\(name)", F_OK) != 0 { usleep(2000) }
  }

  /// By what earlier lives have said.
  private var isFirstWoken: Bool {
    let said = (try? String(contentsOfFile: options["said"] ?? "", encoding: .utf8)) ?? ""
    return said.split(separator: "\n").filter { $0.hasPrefix("woken") }.count == 1
  }
}
