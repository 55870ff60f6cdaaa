import Dispatch
import Foundation
import HTTPTypes
import Synchronization
import XferEngine
import XferEvents
import XferScript

extension ActorProgram {
  // MARK: References

  /// Returns the session that a step refers to: the named one, that of the callback, or the last one created.
  func held(_ name: String?, _ context: ActorContext) throws(ActorFailure) -> HeldSession {
    let sessions = state.withLock { $0.sessions }
    if let name {
      guard let found = sessions.last(where: { $0.name == name || $0.session.name == name }) else {
        throw ActorFailure("the app has no session \(name)")
      }
      return found
    }
    if let session = context.session {
      return sessions.last { $0.session === session } ?? HeldSession(name: session.name, session: session, queue: .main)
    }
    guard let last = sessions.last else { throw ActorFailure("the app has no session") }
    return last
  }

  func session(_ arguments: ActorArguments, _ context: ActorContext) throws(ActorFailure) -> TransferSession {
    try held(arguments.text("session").map { text($0, context) }, context).session
  }

  func sessionName(_ context: ActorContext) -> String? {
    if let identifier = context.identifier { return identifier }
    return context.session.map { session in state.withLock { $0.sessions.last { $0.session === session }?.name } ?? session.name }
  }

  // MARK: Actions

  func createSession(_ arguments: ActorArguments, _ context: ActorContext) {
    let identifier = arguments.text("identifier").map { text($0, context) }
    let kind = arguments.text("kind") ?? "background"
    var configuration: TransferSession.Configuration =
      switch kind {
      case "default": .default
      case "ephemeral": .ephemeral
      default: .background(withIdentifier: identifier ?? "com.example.\(script.title)")
      }
    if let settings = arguments.mapping("settings") { configure(&configuration, settings, context) }
    let name = arguments.text("name").map { text($0, context) } ?? configuration.identifier ?? identifier ?? kind
    let queue: DispatchQueue =
      switch arguments.text("queue") {
      case "main": .main
      case "concurrent": DispatchQueue(label: "app.delegate", attributes: .concurrent)
      default: DispatchQueue(label: "app.delegate")
      }
    // Callbacks wait until steps can refer to the session.
    if queue !== DispatchQueue.main { queue.suspend() }
    defer { if queue !== DispatchQueue.main { queue.resume() } }
    let session = TransferSession(
      configuration: configuration, delegate: arguments.isNone("delegate") ? nil : delegate(arguments.text("delegate") ?? "app"),
      delegateExecutor: QueueExecutor(queue), sink: log)
    state.withLock { $0.sessions.append(HeldSession(name: name, session: session, queue: queue)) }
  }

  private func delegate(_ name: String) -> ActorDelegate {
    state.withLock { state in
      if let delegate = state.delegates[name] { return delegate }
      let delegate = ActorDelegate(self, name)
      state.delegates[name] = delegate
      return delegate
    }
  }

  func release(_ session: TransferSession) {
    // The session is released outside of the lock, because its end logs an event.
    let dropped = state.withLock { state -> [HeldSession] in
      let dropped = state.sessions.filter { $0.session === session }
      state.sessions.removeAll { $0.session === session }
      return dropped
    }
    withExtendedLifetime(dropped) {}
  }

  func query(_ arguments: ActorArguments, _ context: ActorContext) throws(ActorFailure) {
    let session = try session(arguments, context)
    session.getAllTasks { tasks in
      var context = context
      (context.session, context.task, context.count) = (session, nil, tasks.count)
      self.run(arguments.steps("then"), context)
      for task in tasks {
        context.task = task
        self.run(arguments.steps("each"), context)
      }
    }
  }

  // MARK: Settings

  private func configure(
    _ configuration: inout TransferSession.Configuration, _ settings: ActorArguments, _ context: ActorContext
  ) {
    func set<Value>(_ path: WritableKeyPath<TransferSession.Configuration, Value>, _ value: Value?) {
      if let value { configuration[keyPath: path] = value }
    }
    func setLimit(_ path: WritableKeyPath<TransferSession.Configuration, Duration?>, _ key: String) {
      if let limit = settings.duration(key) { configuration[keyPath: path] = limit }
      if settings.isNone(key) { configuration[keyPath: path] = nil }
    }
    set(\.isDiscretionary, settings.flag("discretionary"))
    set(\.sessionSendsLaunchEvents, settings.flag("launch-events"))
    set(\.shouldUseExtendedBackgroundIdleMode, settings.flag("extended-idle"))
    set(\.sharedContainerIdentifier, settings.text("container").map { .some(text($0, context)) })
    set(\.name, settings.text("log-name").map { .some(text($0, context)) })
    setLimit(\.timeoutIntervalForRequest, "request-timeout")
    setLimit(\.timeoutIntervalForResource, "resource-timeout")
    setLimit(\.timeoutIntervalForConnection, "connection-timeout")
    if settings.text("timeout-origin") == "resume" { configuration.requestTimeoutOrigin = .resume }
    set(\.httpMaximumConnectionsPerHost, settings.integer("connections-per-host"))
    set(\.maximumConnections, settings.integer("connections"))
    for (name, value) in settings.pairs("headers") {
      if let name = HTTPField.Name(name) { configuration.httpAdditionalHeaders[name] = text(value, context) }
    }
    set(\.redirectLimit, settings.integer("redirect-limit"))
    set(\.messages.followsRedirects, settings.flag("follows-redirects"))
    set(\.allowsCellularAccess, settings.flag("cellular"))
    set(\.allowsExpensiveNetworkAccess, settings.flag("expensive"))
    set(\.allowsConstrainedNetworkAccess, settings.flag("constrained"))
    set(\.waitsForConnectivity, settings.flag("waits-for-connectivity"))
    set(\.maximumBytesPerSecondReceived, settings.integer("receive-rate").map { .some(Int64($0)) })
    set(\.maximumBytesPerSecondSent, settings.integer("send-rate").map { .some(Int64($0)) })
    set(\.retryPolicy.maximumRetries, settings.integer("retries"))
    set(\.retryPolicy.delay, settings.duration("retry-delay"))
    set(\.retryPolicy.retriesUnsafeMethods, settings.flag("retries-unsafe"))
    if settings.flag("cache") == false { configuration.urlCache = nil }
    set(\.requestCachePolicy, settings.text("cache-policy").flatMap(TransferSession.RequestCachePolicy.init(rawValue:)))
    set(\.maximumBodyBytes, settings.integer("maximum-body").map { .some(Int64($0)) })
    set(\.keepsPartialDownloads, settings.flag("keeps-partial"))
    set(\.digestsContent, settings.flag("digests"))
    set(\.synchronisesDownloads, settings.flag("synchronises"))
    set(\.coalescesIdenticalRequests, settings.flag("coalesces"))
    set(\.serverTrust.allowsAnyServer, settings.flag("any-server"))
    set(\.asksAboutServerTrust, settings.flag("asks-about-trust"))
    set(\.temporaryDirectory, settings.text("temporary-directory").map { text($0, context) })
    set(\.sendsCredentialsUnasked, settings.flag("sends-unasked"))
    if let credential = settings.mapping("credential") { store(credential, in: &configuration, context) }
  }

  private func store(
    _ credential: ActorArguments, in configuration: inout TransferSession.Configuration, _ context: ActorContext
  ) {
    guard let server = URL(string: place.server), let host = server.host, let port = server.port else { return }
    let storage = TransferSession.CredentialStorage()
    storage.setDefaultCredential(
      TransferSession.Credential(
        user: text(credential.text("user") ?? "", context), password: text(credential.text("password") ?? "", context)),
      scheme: server.scheme ?? "http", host: host, port: port)
    configuration.urlCredentialStorage = storage
  }
}
