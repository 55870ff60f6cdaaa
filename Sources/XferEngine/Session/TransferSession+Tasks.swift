public import HTTPTypes
internal import XferEvents

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension TransferSession {
  /// A suspended task whose body goes to the delegate.
  ///
  /// - Parameter taskDescription: what it is for, in the app's own words; logged as a private value.
  /// - Throws: when the session was invalidated, or the request cannot be carried; the log says that too.
  public func dataTask(with request: HTTPRequest, taskDescription: String? = nil) throws(TransferError) -> DataTask {
    try makeDataTask(request, .delegate, taskDescription)
  }

  public func dataTask(with url: URL, taskDescription: String? = nil) throws(TransferError) -> DataTask {
    try dataTask(with: HTTPRequest(url: url), taskDescription: taskDescription)
  }

  /// A suspended task whose body goes to a temporary file, which the delegate is offered.
  public func downloadTask(with request: HTTPRequest, taskDescription: String? = nil) throws(TransferError) -> DownloadTask {
    try makeDownloadTask(request, .delegate, taskDescription)
  }

  public func downloadTask(with url: URL, taskDescription: String? = nil) throws(TransferError) -> DownloadTask {
    try downloadTask(with: HTTPRequest(url: url), taskDescription: taskDescription)
  }

  func makeDataTask(
    _ request: HTTPRequest, _ consumer: TaskConsumer, _ description: String?
  ) throws(TransferError) -> DataTask {
    try make(.data, request) { identity, plan in
      DataTask(
        identity, type: .data, request: request, plan: plan, consumer: consumer, description: description, session: self)
    }
  }

  func makeDownloadTask(
    _ request: HTTPRequest, _ consumer: TaskConsumer, _ description: String?
  ) throws(TransferError) -> DownloadTask {
    try make(.download, request) { identity, plan in
      DownloadTask(
        identity, type: .download, request: request, plan: plan, consumer: consumer, description: description, session: self)
    }
  }

  private func make<Task: TransferTask>(
    _ type: TaskType, _ request: HTTPRequest, _ make: (TaskIdentity, RequestPlan) -> Task
  ) throws(TransferError) -> Task {
    do throws(TransferError) {
      let plan = try RequestPlan(request, additional: context.configuration.httpAdditionalHeaders)
      return try enter { identity, live in
        let task = make(identity, plan)
        context.sink.emit(created(task, live: live))
        context.sink.capture("asked for \(request.writtenURL, privacy: .sensitive)", of: identity)
        return task
      }
    } catch {
      context.sink.emit(
        TaskRejected(
          session: name, instance: context.instance, type: type, rejection: error.rejection, message: error.problem))
      throw error
    }
  }

  private func created(_ task: TransferTask, live: Int) -> TaskCreated {
    let (url, limits) = (task.plan.url, context.configuration)
    return TaskCreated(
      task: task.identity, type: task.type, origin: .unknown, completion: task.consumer.style,
      method: task.plan.method.rawValue, scheme: url.scheme, host: url.host, port: url.port, path: url.loggedPath,
      urlQuery: url.loggedQuery, resource: context.digest(of: url.resource), label: task.taskDescription,
      destination: task.consumer.destination, requestTimeout: limits.timeoutIntervalForRequest,
      resourceTimeout: limits.timeoutIntervalForResource, discretionary: false, effectiveDiscretionary: false,
      credentialExpires: url.query.flatMap(SignedParameters.expiry), liveTasks: Int64(live))
  }
}

extension TransferError {
  fileprivate var rejection: RejectionReason {
    switch code {
    case .unsupportedURL: .unsupportedScheme
    case .sessionInvalidated: .invalidSession
    case .insufficientResources: .tooManyTasks
    default: .badURL
    }
  }
}

extension HTTPRequest {
  /// A request for a URL given as text; what cannot be read in it is found out when a task is made.
  public init(method: Method, urlText: String, headerFields: HTTPFields = [:]) {
    let parts = urlText.split(separator: "://", maxSplits: 1)
    guard parts.count == 2 else {
      self.init(method: method, scheme: nil, authority: nil, path: urlText, headerFields: headerFields)
      return
    }
    let authority = parts[1].prefix { !"/?#".contains($0) }
    let path = parts[1].dropFirst(authority.count).prefix { $0 != "#" }
    self.init(
      method: method, scheme: String(parts[0]), authority: String(authority),
      path: path.hasPrefix("/") ? String(path) : "/\(path)", headerFields: headerFields)
  }
}
