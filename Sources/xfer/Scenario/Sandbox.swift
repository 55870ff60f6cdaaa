import CXferPlatform
import Foundation
import XferEngine
import XferEvents
import XferScript

/// The environment of one scenario run: its own daemon, log and files.
struct Sandbox {
  let directory: String
  private let own: [String: String]

  /// - Parameter directory: An empty or missing directory. `nil` means a temporary directory.
  init(_ directory: String?) throws(CommandExit) {
    own = ProcessInfo.processInfo.environment.withoutEmptyVariables
    do {
      if let directory {
        let there = try? FileManager.default.contentsOfDirectory(atPath: directory)
        guard there?.isEmpty ?? true else { throw CommandExit(Execution.wrongUsage, "\(directory) is not empty") }
        self.directory = URL(fileURLWithPath: directory).standardizedFileURL.path
      } else {
        // The system limits the path of the daemon's socket to about 100 bytes, so the directory needs a short path.
        self.directory = "/tmp/xfer-\(UInt32.random(in: .min ... .max))"
      }
      try FileManager.default.createDirectory(atPath: self.directory, withIntermediateDirectories: true)
      for name in ["files", "tmp", "home"] {
        try FileManager.default.createDirectory(atPath: "\(self.directory)/\(name)", withIntermediateDirectories: true)
      }
    } catch let error as CommandExit {
      throw error
    } catch {
      throw CommandExit(Execution.wrongUsage, "the folder for the run cannot be created: \(error.localizedDescription)")
    }
  }

  var log: String { "\(directory)/log.xlog" }
  var files: String { "\(directory)/files" }

  /// The complete environment of the apps and the daemon. Nothing else is inherited.
  var environment: [String: String] {
    var environment = [
      "PATH": own["PATH"] ?? "/usr/bin:/bin", "HOME": "\(directory)/home", "TMPDIR": "\(directory)/tmp",
      "XDG_STATE_HOME": "\(directory)/state", "XFERD_DIR": "\(directory)/run", "XFERLOG_DIR": log,
    ]
    environment["XFERD"] = ServiceLocation(environment: own, executable: DeviceLink.executable).program
    for name in ["LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH"] { environment[name] = own[name] }
    // A backtrace of a large program takes many seconds, in which a crashed app has not ended.
    environment["SWIFT_BACKTRACE"] = own["SWIFT_BACKTRACE"] ?? "enable=no"
    return environment
  }

  /// Finds a program in the directory of this program or in `PATH`.
  func program(_ name: String) throws(CommandExit) -> String {
    let folder = URL(fileURLWithPath: DeviceLink.executable).deletingLastPathComponent().path
    guard let path = ProgramPath.find(name, beside: folder, environment: own) else {
      throw CommandExit(Execution.wrongUsage, "the program \(name) was found neither beside xfer nor in $PATH")
    }
    return path
  }

  // MARK: Scripted apps

  /// Writes an actor's script, and makes a program of its own, so that the actor has its own path and name in the log.
  func install(_ actor: Scenario.Actor) throws {
    for folder in ["actors", "apps"] {
      try FileManager.default.createDirectory(atPath: "\(directory)/\(folder)", withIntermediateDirectories: true)
    }
    try Data(actor.yaml.utf8).write(to: URL(fileURLWithPath: script(of: actor.name)))
    if link(DeviceLink.executable, program(of: actor.name)) != 0 {
      try FileManager.default.copyItem(atPath: DeviceLink.executable, toPath: program(of: actor.name))
    }
  }

  func program(of actor: String) -> String { "\(directory)/apps/\(actor)" }
  private func script(of actor: String) -> String { "\(directory)/actors/\(actor).yaml" }

  func arguments(of actor: String, server: String) -> [String] {
    ActorPlace(script: script(of: actor), directory: directory, files: files, server: server).arguments
  }

  /// The actions that the actors could not carry out, one line each.
  var problems: [String] {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: "\(directory)/actors")) ?? []).sorted()
    return names.flatMap { name in
      let text = FileManager.default.contents(atPath: "\(directory)/actors/\(name)/problems") ?? Data()
      return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  var device: DeviceLink { DeviceLink(environment: environment) }

  /// Ends all remaining processes. The apps are suspended first, so that the log records no exits.
  func close(_ apps: [Int32]) {
    for pid in apps { kill(pid, SIGSTOP) }
    device.endDaemon(SIGTERM)
    for pid in apps { kill(pid, SIGKILL) }
    for pid in apps { while xp_process_exists(pid) { poll(nil, 0, 5) } }
    // An actor that the last daemon does not know may still run.
    for pid in remaining({ $0.first?.starts(with: Data("\(directory)/apps/".utf8)) ?? false }) { kill(pid, SIGKILL) }
    // An app that continued during the shutdown may have started another daemon.
    for pid in remaining({ $0.contains(Data("\(directory)/run".utf8)) }) { kill(pid, SIGKILL) }
  }

  /// Returns the processes whose program and arguments meet a condition.
  private func remaining(_ isWanted: ([Data]) -> Bool) -> [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { Int32($0) }.filter { pid in
      isWanted(FileManager.default.contents(atPath: "/proc/\(pid)/cmdline")?.split(separator: 0) ?? [])
    }
  }

  func remove() { try? FileManager.default.removeItem(atPath: directory) }
}
