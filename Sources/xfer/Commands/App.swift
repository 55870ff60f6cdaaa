import ArgumentParser
import Foundation
import XferEngine
import XferEvents

/// Does to background apps what users and systems do to them.
struct App: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Start, stop and end background apps, as their user or the system would.",
    discussion: """
      APP is a program's path, the last part of that, or a process id. Exit code 1 when that cannot be done, 7 when no xferd can be \
      reached.
      """,
    subcommands: [
      List.self, Launch.self, Foreground.self, Background.self, Suspend.self, Resume.self, Kill.self, ForceQuit.self,
      Trigger.self,
    ])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "What xferd knows of its apps.")

    @Option(name: .shortAndLong, help: "text or json.")
    var output = "text"

    func run() throws {
      guard case .apps(let apps) = try DeviceLink().ask(.apps) else { return }
      switch output {
      case "json": print(try DeviceDocument.text(apps))
      case "text": for app in apps { print(app.text) }
      default: throw CommandExit(Execution.wrongUsage, "--output \(output): write text or json")
      }
    }
  }

  struct Launch: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Start a program as its user would, with xferd as its parent; says its process id.")

    @Flag(help: "With nobody looking.")
    var background = false

    @Option(name: .customLong("env"), help: "A variable, as NAME=VALUE, beside those that background apps keep.")
    var variables: [String] = []

    @Argument(help: "The program, by its path or to be found in $PATH.")
    var program: String

    @Argument(parsing: .captureForPassthrough, help: "Its arguments.")
    var arguments: [String] = []

    func run() throws {
      let own = ProcessInfo.processInfo.environment
      guard let path = ProgramPath.find(program, beside: nil, environment: own) else {
        throw CommandExit(DeviceLink.refused, "there is no program \(program)")
      }
      var environment = own.filter { BackgroundApp.keptEnvironment.contains($0.key) }
      for variable in variables {
        let parts = variable.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else {
          throw CommandExit(Execution.wrongUsage, "--env \(variable): write NAME=VALUE")
        }
        environment[String(parts[0])] = String(parts[1])
      }
      print(
        try AppControl(link: DeviceLink()).launch(path, arguments, environment: environment, isBackground: background))
    }
  }

  struct Foreground: AppOrderCommand {
    static let configuration = CommandConfiguration(abstract: "Bring an app in front of its user.")
    static let order = AppOrder.foreground
    @Argument(help: "The app.") var app: String
  }

  struct Background: AppOrderCommand {
    static let configuration = CommandConfiguration(abstract: "Put an app away, as its user does with the home button.")
    static let order = AppOrder.background
    @Argument(help: "The app.") var app: String
  }

  struct Suspend: AppOrderCommand {
    static let configuration = CommandConfiguration(abstract: "Stop an app where it is (SIGSTOP).")
    static let order = AppOrder.suspend
    @Argument(help: "The app.") var app: String
  }

  struct Resume: AppOrderCommand {
    static let configuration = CommandConfiguration(abstract: "Let a stopped app go on, in the background (SIGCONT).")
    static let order = AppOrder.resume
    @Argument(help: "The app.") var app: String
  }

  struct Kill: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "End an app with SIGKILL, as the system does.")

    @Option(help: "What the log says of it: memoryPressure, watchdog, signal, upgraded …")
    var because = "memoryPressure"

    @Argument(help: "The app.") var app: String

    func run() throws {
      guard let reason = ExitReason.allCases.first(where: { $0.name == because }) else {
        let known = ExitReason.allCases.map(\.name).joined(separator: ", ")
        throw CommandExit(Execution.wrongUsage, "--because \(because) is not known: write one of \(known)")
      }
      try AppControl(link: DeviceLink()).kill(app, because: reason)
    }
  }

  struct ForceQuit: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Sweep an app away, as its user does: its background tasks are cancelled, and nothing launches it for them.")
    @Argument(help: "The app.") var app: String

    func run() throws { try AppControl(link: DeviceLink()).forceQuit(app) }
  }

  struct Trigger: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Have something come about that an app wants to be launched for.")
    @Argument(help: "The app.") var app: String
    @Argument(help: "significantLocation, region, push or timer.") var kind: String
    @Argument(help: "The trigger's name; all of the kind without it.") var name: String?

    func run() throws {
      guard let kind = LaunchTrigger.Kind(rawValue: kind) else {
        let known = LaunchTrigger.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw CommandExit(Execution.wrongUsage, "\(kind) is no kind of trigger: write one of \(known)")
      }
      try AppControl(link: DeviceLink()).fire(kind, name, app)
    }
  }
}

/// A command that does one thing to one process.
protocol AppOrderCommand: ParsableCommand {
  static var order: AppOrder { get }
  var app: String { get }
}

extension AppOrderCommand {
  func run() throws { try AppControl(link: DeviceLink()).order(Self.order, app) }
}

extension AppStatus {
  /// For people: the app in one line, and what belongs to it below.
  fileprivate var text: String {
    var lines = ["\(app)\(isQuit ? ", quit by its user" : "")\(isRegistered ? "" : ", not registered")"]
    for process in processes {
      let sessions = process.sessions.isEmpty ? "" : ", has \(process.sessions.joined(separator: ", "))"
      let assertions = process.assertions.isEmpty ? "" : ", background time for \(process.assertions.joined(separator: ", "))"
      lines.append("  process \(process.pid) \(process.state)\(sessions)\(assertions)")
    }
    for session in sessions {
      let holds = session.holds.sorted { $0.key < $1.key }.map { ", \($0.value) held by \($0.key)" }.joined()
      lines.append(
        "  session \(session.identifier): \(session.tasks) tasks, \(session.running) running\(holds), \(session.pending) callbacks wait"
      )
    }
    for trigger in triggers { lines.append("  trigger \(trigger)") }
    if launchDelay > 0 { lines.append("  next launch in \(Double(launchDelay / 100_000_000) / 10) s at the earliest") }
    return lines.joined(separator: "\n")
  }
}
