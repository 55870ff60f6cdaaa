import Dispatch
import Foundation
import Synchronization
import XferEngine
import XferEvents
import XferLogStore
import XferScript

/// A running scripted app.
final class ActorProgram: Sendable {
  let script: ActorScript
  let place: ActorPlace
  let log: EventLog
  let memory: ActorMemory
  /// The number of this launch, from 1.
  let launch: Int
  let state = Mutex(State())
  /// The default reactions.
  private let defaults: ActorScript

  struct State {
    /// The app's references to its sessions, in the order of creation.
    var sessions: [HeldSession] = []
    var delegates: [String: ActorDelegate] = [:]
    var life: ActorLife?
    /// The live tasks, by their names in the script.
    var tasks: [String: TransferTask] = [:]
    var identities: [String: TaskIdentity] = [:]
    var handlers: [String: @Sendable () -> Void] = [:]
    var times: [String: BackgroundTaskIdentifier] = [:]
    var deadmen: [String: DeadManSwitch] = [:]
    var beats: [String: Beat] = [:]
    var locks: [String: HeldLock] = [:]
    var works: [String: CorrelationID] = [:]
    var counts: [ActorScript.Callback: Int] = [:]
    /// The places of the steps with `once` that have run.
    var reached: Set<String> = []
  }

  struct HeldSession {
    let name: String
    let session: TransferSession
    let queue: DispatchQueue
  }

  struct HeldLock {
    let descriptor: Int32
    let id: CorrelationID
  }

  init(_ script: ActorScript, _ place: ActorPlace) throws {
    (self.script, self.place) = (script, place)
    defaults = try ActorScript(yaml: Self.defaultReactions, file: "default reactions")
    memory = try ActorMemory(place.memory)
    launch = memory.countLaunch()
    let environment = ProcessInfo.processInfo.environment.withoutEmptyVariables
    let key = try MaskKey.load(stateDirectory: LogDirectory.stateDirectory(environment: environment))
    var configuration = LogConfiguration(
      role: script.isExtension ? .appExtension : .app, privacy: PrivacyPolicy(mode: script.privacy.mode, key: key),
      startReason: BackgroundApp.startReason)
    configuration.startsInBackground = BackgroundApp.startsInBackground
    configuration.hasMainThreadContract = script.callsOnMain
    if let container = script.container { configuration.container = place.filled(container, launch: launch) }
    log = try EventLog(directory: LogDirectory.standard(environment: environment), configuration: configuration)
  }

  static let defaultReactions = """
    app: defaults
    on:
      finished: [{ move: $FILES/$NAME, when: { status: ok } }]
      completed: [{ outcome: auto }]
      handler: [{ move: $FILES/$NAME, when: { status: ok, file: true } }, { outcome: auto }]
      handle-events: [store-handler]
      events-finished: [{ do: [call-handler, { exit: 0, when: { background: true } }], on: main }]
      will-terminate: [close-log]
    """

  /// Runs the app until it exits. Must be called on the main thread.
  func run() -> Never {
    if script.isExtension { BackgroundApp.declareExtension() }
    if launch == 1 { for file in script.files { createFile(file) } }
    if script.registers { register() }
    let context = ActorContext()
    run(script.always, context)
    run(script.launches[reason] ?? [], context)
    if BackgroundApp.startsInBackground { run(script.launches[.background] ?? [], context) }
    BackgroundApp.run()
  }

  private var reason: ActorScript.Launch {
    if BackgroundApp.isWoken { return .events }
    switch BackgroundApp.startReason {
    case .significantLocation, .region, .push, .timer: return .trigger
    default: return .user
    }
  }

  private func register() {
    let life = ActorLife(self)
    state.withLock { $0.life = life }
    BackgroundApp.start(
      sink: log, arguments: place.arguments, keptEnvironment: BackgroundApp.keptEnvironment.union(["SWIFT_BACKTRACE"]),
      callsOnMain: script.callsOnMain, isSuspendable: script.isSuspendable, delegate: life
    ) { identifier, completionHandler in
      self.react(.handleEvents, ActorContext(identifier: identifier, completionHandler: completionHandler))
    }
  }

  private func createFile(_ file: Scenario.File) {
    let path = "\(place.files)/\(file.name)"
    try? FileManager.default.createDirectory(atPath: place.files, withIntermediateDirectories: true)
    try? Data(file.content.bytes(in: 0..<file.content.count)).write(to: URL(fileURLWithPath: path))
  }

  // MARK: Callbacks

  /// Whether the script has a reaction to a callback.
  func reacts(to callback: ActorScript.Callback) -> Bool { script.reactions[callback] != nil }

  /// Runs the script's reaction to a callback, or the default one.
  func react(_ callback: ActorScript.Callback, _ context: ActorContext) {
    var context = context
    context.callback = callback
    context.nth = state.withLock { state in
      state.counts[callback, default: 0] += 1
      return state.counts[callback] ?? 0
    }
    guard let steps = script.reactions[callback] else { return runDefault(callback, context) }
    run(steps, context)
  }

  func runDefault(_ callback: ActorScript.Callback, _ context: ActorContext) { run(defaults.reactions[callback] ?? [], context) }

  func note(_ problem: String) {
    memory.note("\(script.title), launch \(launch): \(problem)")
    try? FileHandle.standardError.write(contentsOf: Data("xfer actor: \(problem)\n".utf8))
  }
}

extension ActorScript.Privacy {
  fileprivate var mode: CaptureMode {
    switch self {
    case .full: .full
    case .masked: .hashed
    case .redacted: .redacted
    }
  }
}
