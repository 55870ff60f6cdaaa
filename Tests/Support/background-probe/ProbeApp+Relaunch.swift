import Foundation
import Synchronization
import XferEngine

// How the app is killed during its downloads, and what it does after a relaunch.
//
// - `until=undelivered` stops the process after its downloads have started. `until=inCallback` blocks in the first session's
//   first callback and starts the other sessions' downloads there. The test then kills the process. Both modes start when the
//   file `go` appears in the directory `signals`.
// - `dies=1`: the first relaunched process is killed when it receives its first wake.
// - `remake`: what a relaunched process does with the session. `right`: creates it; `wrong`: creates a different one; `none`:
//   creates none; `late`: creates it after calling the completion handler. With `wrong` and `none` it writes `idle` and waits
//   for a file `end`.
extension ProbeApp {
  func awaitKill() {
    say("opened")
    // Leave the main queue free for callbacks.
    DispatchQueue.global().async {
      self.awaitSignal("go")
      for (place, (url, identifier)) in zip(self.urls, self.identifiers).enumerated() {
        self.begin(url, in: identifier, isKept: place > 0 && self.until == "inCallback")
      }
      if self.until == "undelivered" { raise(SIGSTOP) }
    }
  }

  func blockForever() -> Never {
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

  /// - Returns: Whether all sessions that the app was woken for are done.
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

  /// Whether this is the first relaunched process, according to the lines of earlier processes.
  private var isFirstWoken: Bool {
    let said = (try? String(contentsOfFile: options["said"] ?? "", encoding: .utf8)) ?? ""
    return said.split(separator: "\n").filter { $0.hasPrefix("woken") }.count == 1
  }
}
