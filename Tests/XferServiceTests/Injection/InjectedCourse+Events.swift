import LogTestSupport

// Events of the device, the daemon and the process while transfers run.
extension InjectedCourse {
  mutating func drawEvent(_ maker: inout PieceMaker) {
    switch kind {
    case .settingsChanged:
      hold(&maker, 1...2)
      let other = isCaused ? "true" : "false"
      sessions = [
        "{ session: { identifier: com.example.a, settings: { constrained: false } }, when: { launch: 1 } }",
        "{ session: { identifier: com.example.a, settings: { constrained: \(other) } }, when: { launch: 2 } }",
      ]
      steps += ["kill: reader\n    because: memoryPressure", "launch: reader"]
    case .forceQuit:
      if isCaused { hold(&maker, 1...3) }
      switch maker.number(0...2) {
      case 0: break
      case 1: steps += ["background: reader", "wait: { event: process.stateChanged, with: { state: background } }"]
      default:
        steps += [
          "background: reader", "wait: { event: process.stateChanged, with: { state: background } }",
          "conditions: { clock: +5s }", "wait: { event: process.stateChanged, with: { state: suspended } }",
        ]
      }
      steps += ["force-quit: reader", "wait: { exit: reader }"]
      if maker.number(0...1) == 0 { steps.append("launch: reader") } else { loseAll() }
    case .daemonKilled:
      hold(&maker, 1...3)
      let harmless = maker.choose([
        ["daemon: stop", "daemon: start"], ["conditions: { network: down }", "conditions: { network: up }"],
        ["device: restart", "daemon: start", "launch: reader"],
      ])
      steps += isCaused ? ["daemon: kill", "daemon: start"] : harmless
    case .daemonStateDeleted:
      hold(&maker, 1...3)
      steps += [
        "kill: reader\n    because: memoryPressure", "wait: { exit: reader }", "daemon: stop",
        isCaused ? "run: [sh, -c, \"rm -rf $DIR/state/xferd\"]" : "run: [ls, $DIR/state/xferd]",
        "daemon: start", "wait: { event: daemon.recovered, count: 2 }",
      ]
      loseAll()
    case .backgroundRefreshOff:
      hold(&maker, 1...3)
      steps += [
        "background: reader", "wait: { event: process.stateChanged, with: { state: background } }",
        "conditions: { background-refresh: \(!isCaused) }", "foreground: reader",
      ]
    case .killedInTransfer:
      hold(&maker, 1...2, in: isCaused ? .work : .background)
      steps += ["kill: reader\(isCaused ? "" : "\n    because: memoryPressure")", "wait: { exit: reader }"]
      loseAll()
    case .crashedInCallback:
      let name = maker.nextName()
      piece.data(name, .work, "{ body: { size: 5000, seed: 2 } }")
      if isCaused {
        piece.react("completed", name, "crash")
      } else {
        piece.react("completed", name, "{ outcome: auto }", "{ crash: trap, on: global, after: 400ms }")
      }
      steps += ["wait: { exit: reader }"]
      loseAll()
    case .exitedInCallback:
      // The second completion waits behind the callback in which the app exits.
      let names = [maker.nextName(), maker.nextName()]
      piece.download(names[0], .work, "{ body: { size: 5000, seed: 2 } }")
      piece.download(names[1], .work, "{ body: { size: 5000, seed: 3 }, delay: { beforeBody: 200ms } }")
      if isCaused {
        piece.react("completed", names[0], "{ block: \(maker.number(800...1500))ms }", "{ exit: 0 }")
        steps = ["wait: { exit: reader }"]
      }
      loseAll()
    case .sessionCancelled:
      let name = maker.nextName()
      let session = InjectedSession(name: "closing")
      piece.download(name, session, "{ body: { size: 500000, seed: 2 }, rate: 1MiB/s }")
      piece.react("progress", name, "{ write: { path: $FILES/begun-\(name), text: x } }", when: "once: true")
      if isCaused { piece.react("completed", name, "leave") }
      reactions["entered-background"] = [
        "{ invalidate: { session: closing, cancel: \(isCaused) }, when: { exists: $FILES/begun-\(name) } }"
      ]
      reactions["entering-foreground"] = [
        "{ write: { path: $FILES/returned, text: x }, when: { exists: $FILES/begun-\(name) } }"
      ]
      steps = [
        "wait: { file: begun-\(name) }", "background: reader", Self.allAcknowledged, "conditions: { clock: +11s }",
        "foreground: reader", "wait: { file: returned }",
      ]
    case .suspendedInTransfer:
      let name = maker.nextName()
      let session = InjectedSession(name: "frozen", settings: "request-timeout: 60s, retries: 0")
      piece.download(name, session, "{ body: { size: 50000, seed: 2 }\(isCaused ? ", hang: mid-body" : "") }")
      steps = [
        isCaused ? "wait: { event: attempt.bytesReceived }" : Self.allAcknowledged, "background: reader",
        "wait: { event: process.stateChanged, with: { state: background } }", "conditions: { clock: +5s }",
        "wait: { event: process.stateChanged, with: { state: suspended } }", "conditions: { clock: +2m }", "foreground: reader",
      ]
    default: break
    }
  }
}
