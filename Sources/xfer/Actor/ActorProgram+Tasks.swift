import Foundation
import HTTPTypes
import Synchronization
import XferEngine
import XferEvents
import XferLogStore
import XferScript

extension ActorProgram {
  // MARK: Names

  /// The name of a task in the script: the one it was created with, its description, or the last part of its URL's path.
  func name(of task: TransferTask) -> String {
    if let name = state.withLock({ $0.identities.first { $0.value.uid == task.uid }?.key }) { return name }
    return task.taskDescription ?? Self.lastPart(task.originalRequest.path ?? "")
  }

  private static func lastPart(_ path: String) -> String {
    String(path.prefix { $0 != "?" }).fileName ?? "task"
  }

  /// Returns the task that a step refers to: the named one, or that of the callback.
  func task(_ arguments: ActorArguments, _ context: ActorContext, key: String = "task") throws(ActorFailure) -> TransferTask {
    guard let name = arguments.text(key).map({ text($0, context) }) else {
      guard let task = context.task else { throw ActorFailure("name the task: this step is in no callback of a task") }
      return task
    }
    if let task = state.withLock({ $0.tasks[name] }) { return task }
    if let task = context.task, self.name(of: task) == name { return task }
    throw ActorFailure("the app has no task \(name)")
  }

  /// Returns the identity of the task that a record refers to. `nil` for `none`, and outside of the callbacks of a task.
  func identity(_ arguments: ActorArguments, _ context: ActorContext, key: String = "task") -> TaskIdentity? {
    guard let name = arguments.text(key).map({ text($0, context) }) else { return context.task?.identity }
    return state.withLock { $0.tasks[name]?.identity ?? $0.identities[name] }
  }

  func forget(_ task: TransferTask) {
    let dropped = state.withLock { state -> [TransferTask] in
      let names = state.tasks.filter { $0.value === task }.map(\.key)
      return names.compactMap { state.tasks.removeValue(forKey: $0) }
    }
    withExtendedLifetime(dropped) {}
  }

  // MARK: Creation

  func createTask(_ verb: String, _ arguments: ActorArguments, _ context: ActorContext) throws(ActorFailure) {
    let session = try session(arguments, context)
    let url = arguments.text("url").map { text($0, context) }
    let stored = arguments.text("resume-data").map { text($0, context) }
    let name = arguments.text("as").map { text($0, context) } ?? stored ?? Self.lastPart(url ?? "")
    let options = options(arguments, name, context)
    let task = try make(verb, session, stored, url ?? "", arguments, options, context)
    state.withLock { state in
      state.tasks[name] = task
      state.identities[name] = task.identity
    }
    let intent = arguments.mapping("intent")
    if let intent, intent.text("declared") != "after" { declare(intent, task, context) }
    if arguments.flag("resume") ?? true { task.resume() }
    if let intent, intent.text("declared") == "after" { declare(intent, task, context) }
  }

  private func make(
    _ verb: String, _ session: TransferSession, _ stored: String?, _ url: String, _ arguments: ActorArguments,
    _ options: TransferSession.TaskOptions, _ context: ActorContext
  ) throws(ActorFailure) -> TransferTask {
    let fields = fields(arguments, context)
    let data = try stored.map { name throws(ActorFailure) in
      guard let data = memory.data("resume", name) else { throw ActorFailure("no resume data \(name) is stored") }
      return data
    }
    do throws(TransferError) {
      if let data { return try session.downloadTask(withResumeData: data, headerFields: fields, options: options) }
      let method = HTTPRequest.Method(arguments.text("method") ?? (verb == "upload" ? "PUT" : "GET")) ?? .get
      let request = HTTPRequest(method: method, urlText: url, headerFields: fields)
      switch verb {
      case "download": return try makeDownload(request, session, arguments, options)
      case "upload": return try makeUpload(request, session, arguments, options, context)
      default: return try makeData(request, session, arguments, options)
      }
    } catch {
      throw ActorFailure(error)
    }
  }

  private func makeDownload(
    _ request: HTTPRequest, _ session: TransferSession, _ arguments: ActorArguments, _ options: TransferSession.TaskOptions
  ) throws(TransferError) -> TransferTask {
    guard arguments.flag("handler") == true else { return try session.downloadTask(with: request, options: options) }
    return try session.downloadTask(with: request, options: options) { file, response, error in
      self.react(.handler, ActorContext(session: session, file: file, response: response, error: error))
    }
  }

  private func makeUpload(
    _ request: HTTPRequest, _ session: TransferSession, _ arguments: ActorArguments, _ options: TransferSession.TaskOptions,
    _ context: ActorContext
  ) throws(TransferError) -> TransferTask {
    let handler: @Sendable (Data?, TransferResponse?, TransferError?) -> Void = { _, response, error in
      self.react(.handler, ActorContext(session: session, response: response, error: error))
    }
    let hasHandler = arguments.flag("handler") == true
    if let file = arguments.text("file") {
      let url = URL(fileURLWithPath: text(file, context))
      return hasHandler
        ? try session.uploadTask(with: request, fromFile: url, options: options, completionHandler: handler)
        : try session.uploadTask(with: request, fromFile: url, options: options)
    }
    if let body = arguments.mapping("body") {
      let data = Self.generated(body)
      return hasHandler
        ? try session.uploadTask(with: request, from: data, options: options, completionHandler: handler)
        : try session.uploadTask(with: request, from: data, options: options)
    }
    return try session.uploadTask(withStreamedRequest: request, options: options)
  }

  private func makeData(
    _ request: HTTPRequest, _ session: TransferSession, _ arguments: ActorArguments, _ options: TransferSession.TaskOptions
  ) throws(TransferError) -> TransferTask {
    let policy = arguments.text("cache-policy").flatMap(TransferSession.RequestCachePolicy.init(rawValue:))
    guard arguments.flag("handler") == true else {
      return try session.dataTask(with: request, cachePolicy: policy, options: options)
    }
    return try session.dataTask(with: request, cachePolicy: policy, options: options) { _, response, error in
      self.react(.handler, ActorContext(session: session, response: response, error: error))
    }
  }

  /// Returns the bytes that `size` and `seed` describe.
  static func generated(_ bytes: ActorArguments) -> Data {
    let count = bytes.integer("size") ?? 0
    return Data(GeneratedBytes(seed: UInt64(bytes.integer("seed") ?? 0), count: count).bytes(in: 0..<count))
  }

  private func fields(_ arguments: ActorArguments, _ context: ActorContext) -> HTTPFields {
    var fields = HTTPFields()
    for (name, value) in arguments.pairs("headers") {
      if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: text(value, context))) }
    }
    return fields
  }

  private func options(_ arguments: ActorArguments, _ name: String, _ context: ActorContext) -> TransferSession.TaskOptions {
    var options = TransferSession.TaskOptions()
    if !arguments.isNone("description") {
      options.taskDescription = arguments.text("description").map { text($0, context) } ?? name
    }
    for (name, value) in arguments.pairs("metadata") { options.metadata[name] = text(value, context) }
    if let priority = arguments.number("priority") { options.priority = Float(priority) }
    if let bytes = arguments.integer("expects-to-send") { options.countOfBytesClientExpectsToSend = Int64(bytes) }
    if let bytes = arguments.integer("expects-to-receive") { options.countOfBytesClientExpectsToReceive = Int64(bytes) }
    options.timeoutIntervalForRequest = limit("request-timeout", arguments)
    options.timeoutIntervalForResource = limit("resource-timeout", arguments)
    if let delay = arguments.duration("begin") { options.earliestBeginDate = BackgroundApp.now + delay.inSeconds }
    options.sourceIsTemporary = arguments.flag("temporary") ?? false
    return options
  }

  private func limit(_ key: String, _ arguments: ActorArguments) -> TransferSession.TimeLimit {
    arguments.isNone(key) ? .none : arguments.duration(key).map { .after($0) } ?? .session
  }

  private func declare(_ intent: ActorArguments, _ task: TransferTask, _ context: ActorContext) {
    let key = text(intent.text("key") ?? "", context)
    memory.keep(key, "intent", "\(task.uid)")
    log.emit(
      AppIntentDeclared(
        intent: key, task: task.identity, step: intent.text("step"), durable: intent.flag("durable") ?? true))
    if let bind = intent.text("bind") { log.emit(AppIntentBound(intent: key, task: task.identity, key: bind)) }
  }

  // MARK: Control

  func cancel(_ arguments: ActorArguments, _ context: ActorContext) throws(ActorFailure) {
    let task = try task(arguments, context)
    let (name, then) = (arguments.text("resume-data").map { text($0, context) }, arguments.steps("then"))
    guard name != nil || !then.isEmpty, let download = task as? DownloadTask else { return task.cancel() }
    download.cancel { data in
      if let name, let data { self.memory.keep(data, "resume", name) }
      var context = context
      (context.session, context.task, context.resumeData) = (task.session, task, data)
      self.run(then, context)
    }
  }

  func describe(_ arguments: ActorArguments, _ context: ActorContext) throws(ActorFailure) {
    let task = try task(arguments, context)
    if arguments.isNone("description") { task.taskDescription = nil }
    if let description = arguments.text("description") { task.taskDescription = text(description, context) }
    if let priority = arguments.number("priority") { task.priority = Float(priority) }
    if let bytes = arguments.integer("expects-to-send") { task.countOfBytesClientExpectsToSend = Int64(bytes) }
    if let bytes = arguments.integer("expects-to-receive") { task.countOfBytesClientExpectsToReceive = Int64(bytes) }
  }

  func handOff(_ arguments: ActorArguments, _ context: ActorContext) throws(ActorFailure) {
    guard let task = identity(arguments, context), let successor = identity(arguments, context, key: "to") else {
      throw ActorFailure("the tasks of the hand-off are unknown")
    }
    let received = (try? self.task(arguments, context))?.countOfBytesReceived
    log.emit(TaskHandedOff(task: task, successor: successor, received: received))
  }

  // MARK: Resume data

  func keepResumeData(_ arguments: ActorArguments, _ context: ActorContext) throws(ActorFailure) {
    guard let data = context.resumeData ?? context.error?.downloadTaskResumeData else {
      throw ActorFailure("the callback has no resume data")
    }
    memory.keep(data, "resume", text(arguments.text("as") ?? "", context))
  }

  func corruptResumeData(_ arguments: ActorArguments, _ context: ActorContext) throws(ActorFailure) {
    let name = text(arguments.text("as") ?? "", context)
    guard let data = memory.data("resume", name) else { throw ActorFailure("no resume data \(name) is stored") }
    memory.keep(Data(data.prefix(data.count / 2)), "resume", name)
  }
}
