public import HTTPTypes
internal import XferEvents

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension TransferSession {
  // MARK: Data

  /// A suspended task whose body goes to the delegate.
  ///
  /// - Parameters:
  ///   - cachePolicy: `nil` for the session's.
  ///   - taskDescription: what it is for, in the app's own words; logged as a private value. Comes before that of the options.
  ///   - options: what else is to be known of it.
  /// - Throws: when the session was invalidated, or the request cannot be carried; the log says that too.
  public func dataTask(
    with request: HTTPRequest, cachePolicy: RequestCachePolicy? = nil, taskDescription: String? = nil,
    options: TaskOptions = TaskOptions()
  ) throws(TransferError) -> DataTask {
    try makeDataTask(request, .delegate, options.described(as: taskDescription), cachePolicy)
  }

  public func dataTask(with url: URL, taskDescription: String? = nil, options: TaskOptions = TaskOptions()) throws(TransferError)
    -> DataTask
  {
    try dataTask(with: HTTPRequest(url: url), taskDescription: taskDescription, options: options)
  }

  /// A suspended task that calls once, on the delegate executor, with the body in memory and the response, or with an error.
  public func dataTask(
    with request: HTTPRequest, cachePolicy: RequestCachePolicy? = nil, taskDescription: String? = nil,
    options: TaskOptions = TaskOptions(),
    completionHandler: @escaping @Sendable (Data?, TransferResponse?, TransferError?) -> Void
  ) throws(TransferError) -> DataTask {
    try makeDataTask(request, .calling(completionHandler), options.described(as: taskDescription), cachePolicy)
  }

  // MARK: Uploads

  /// A suspended task that sends bytes from memory; the response's body goes to the delegate.
  public func uploadTask(
    with request: HTTPRequest, from bodyData: Data, taskDescription: String? = nil, options: TaskOptions = TaskOptions()
  ) throws(TransferError) -> UploadTask {
    try makeUploadTask(request, .data(bodyData), .delegate, options.described(as: taskDescription))
  }

  /// A suspended task that sends a file as it is then.
  public func uploadTask(
    with request: HTTPRequest, fromFile fileURL: URL, taskDescription: String? = nil, options: TaskOptions = TaskOptions()
  ) throws(TransferError) -> UploadTask {
    try makeUploadTask(request, file: fileURL, .delegate, options.described(as: taskDescription))
  }

  /// A suspended task whose body the delegate gives, each time that it is to be sent (`needNewBodyStream`).
  public func uploadTask(
    withStreamedRequest request: HTTPRequest, taskDescription: String? = nil, options: TaskOptions = TaskOptions()
  ) throws(TransferError) -> UploadTask {
    try makeUploadTask(request, .stream, .delegate, options.described(as: taskDescription))
  }

  public func uploadTask(
    with request: HTTPRequest, from bodyData: Data, taskDescription: String? = nil, options: TaskOptions = TaskOptions(),
    completionHandler: @escaping @Sendable (Data?, TransferResponse?, TransferError?) -> Void
  ) throws(TransferError) -> UploadTask {
    try makeUploadTask(request, .data(bodyData), .calling(completionHandler), options.described(as: taskDescription))
  }

  public func uploadTask(
    with request: HTTPRequest, fromFile fileURL: URL, taskDescription: String? = nil, options: TaskOptions = TaskOptions(),
    completionHandler: @escaping @Sendable (Data?, TransferResponse?, TransferError?) -> Void
  ) throws(TransferError) -> UploadTask {
    try makeUploadTask(request, file: fileURL, .calling(completionHandler), options.described(as: taskDescription))
  }

  // MARK: Downloads

  /// A suspended task whose body goes to a temporary file, which the delegate is offered.
  public func downloadTask(with request: HTTPRequest, taskDescription: String? = nil, options: TaskOptions = TaskOptions())
    throws(TransferError) -> DownloadTask
  {
    try makeDownloadTask(request, .delegate, options.described(as: taskDescription))
  }

  public func downloadTask(with url: URL, taskDescription: String? = nil, options: TaskOptions = TaskOptions())
    throws(TransferError) -> DownloadTask
  {
    try downloadTask(with: HTTPRequest(url: url), taskDescription: taskDescription, options: options)
  }

  /// A suspended task that calls once, on the delegate executor: the file is the caller's for the length of the call.
  public func downloadTask(
    with request: HTTPRequest, taskDescription: String? = nil, options: TaskOptions = TaskOptions(),
    completionHandler: @escaping @Sendable (DownloadedFile?, TransferResponse?, TransferError?) -> Void
  ) throws(TransferError) -> DownloadTask {
    let consumer = TaskConsumer.file(.closure, destination: nil) { file, response in
      completionHandler(file, response, nil)
      return nil
    } completion: {
      if case .failure(let error) = $0 { completionHandler(nil, nil, error) }
    }
    return try makeDownloadTask(request, consumer, options.described(as: taskDescription))
  }

  /// A suspended task that goes on with a download, if the resource is still the same; otherwise it begins at the beginning.
  ///
  /// - Parameters:
  ///   - resumeData: of `cancel(byProducingResumeData:)`, or of the error that a download failed with.
  ///   - headerFields: added to the request; the resume data has no credentials.
  public func downloadTask(
    withResumeData resumeData: Data, headerFields: HTTPFields = [:], taskDescription: String? = nil,
    options: TaskOptions = TaskOptions()
  ) throws(TransferError) -> DownloadTask {
    try makeDownloadTask(resumeData, headerFields, .delegate, options.described(as: taskDescription))
  }

  // MARK: Making them

  func makeDownloadTask(
    _ bytes: Data, _ headerFields: HTTPFields, _ consumer: TaskConsumer, _ options: TaskOptions
  ) throws(TransferError) -> DownloadTask {
    let resumeData = try sayingRejection(of: .download) { () throws(TransferError) in try ResumeData(bytes) }
    var request = resumeData.request
    for field in headerFields { request.headerFields[field.name] = field.value }
    let options = options.continuing(resumeData)
    return try makeTask(.download, request, consumer, options, resumeData: bytes) { identity, plan in
      DownloadTask(
        identity, type: .download, request: request, plan: plan, consumer: consumer, options: options,
        session: self, resumeData: resumeData)
    }
  }

  func makeDataTask(
    _ request: HTTPRequest, _ consumer: TaskConsumer, _ options: TaskOptions, _ cachePolicy: RequestCachePolicy? = nil
  ) throws(TransferError) -> DataTask {
    try makeTask(.data, request, consumer, options) { identity, plan in
      DataTask(
        identity, type: .data, request: request, plan: plan, consumer: consumer, options: options, session: self,
        cachePolicy: cachePolicy)
    }
  }

  func makeUploadTask(
    _ request: HTTPRequest, _ body: RequestBody, _ consumer: TaskConsumer, _ options: TaskOptions,
    makeStream: (@Sendable () -> RequestBodyStream)? = nil
  ) throws(TransferError) -> UploadTask {
    try makeTask(.upload, request, consumer, options, { () throws(TransferError) in body }) { identity, plan in
      UploadTask(
        identity, type: .upload, request: request, plan: plan, consumer: consumer, options: options, session: self,
        makeStream: makeStream)
    }
  }

  func makeUploadTask(
    _ request: HTTPRequest, file: URL, _ consumer: TaskConsumer, _ options: TaskOptions
  ) throws(TransferError) -> UploadTask {
    let body = { () throws(TransferError) in RequestBody.file(try SourceFile(path: file.path)) }
    return try makeTask(.upload, request, consumer, options, body) { identity, plan in
      UploadTask(
        identity, type: .upload, request: request, plan: plan, consumer: consumer, options: options, session: self)
    }
  }

  func makeDownloadTask(
    _ request: HTTPRequest, _ consumer: TaskConsumer, _ options: TaskOptions
  ) throws(TransferError) -> DownloadTask {
    try makeTask(.download, request, consumer, options) { identity, plan in
      DownloadTask(
        identity, type: .download, request: request, plan: plan, consumer: consumer, options: options, session: self)
    }
  }

  private func makeTask<Task: TransferTask>(
    _ type: TaskType, _ request: HTTPRequest, _ consumer: TaskConsumer, _ options: TaskOptions,
    _ body: () throws(TransferError) -> RequestBody = { .none }, resumeData: Data? = nil,
    _ make: (TaskIdentity, RequestPlan) -> Task
  ) throws(TransferError) -> Task {
    try sayingRejection(of: type) { () throws(TransferError) in
      let plan = try RequestPlan(request, additional: context.configuration.httpAdditionalHeaders, body: body())
      if background != nil {
        try checkBackground(type, plan.body, consumer)
        try checkMessageSize(plan, options, resumeData: resumeData)
      }
      let metadata = try options.loggedMetadata()
      return try enter { identity, live in
        let task = make(identity, plan)
        options.parentProgress?.addChild(task.progress, withPendingUnitCount: options.progressUnitCount)
        context.sink.emit(created(task, live: live, metadata: metadata))
        context.sink.capture("asked for \(request.writtenURL, privacy: .sensitive)", of: identity)
        return task
      }
    }
  }

  private func sayingRejection<Task>(of type: TaskType, _ make: () throws(TransferError) -> Task) throws(TransferError) -> Task {
    do throws(TransferError) {
      return try make()
    } catch {
      context.sink.emit(
        TaskRejected(
          session: name, instance: context.instance, type: type, rejection: error.rejection, message: error.problem))
      throw error
    }
  }

  func created(_ task: TransferTask, live: Int?, metadata: String? = nil) -> TaskCreated {
    let url = task.plan.url
    let source: SourceFile? = if case .file(let file) = task.plan.body { file } else { nil }
    let origin = BackgroundLink.origin
    return TaskCreated(
      task: task.identity, type: task.type, origin: origin, completion: task.consumer.style,
      method: task.plan.method.rawValue, scheme: url.scheme, host: url.host, port: url.port, path: url.loggedPath,
      urlQuery: url.loggedQuery, resource: context.digest(of: url.resource), label: task.taskDescription,
      destination: task.consumer.destination, sourceFile: source?.path, sourceSize: source?.size,
      sourceModified: source?.modified, inode: source.map { Int64(bitPattern: $0.inode) },
      sourceOwned: source != nil && task.options.sourceIsTemporary ? true : nil,
      expectedToSend: task.countOfBytesClientExpectsToSend.ifKnown,
      expectedToReceive: task.countOfBytesClientExpectsToReceive.ifKnown, requestTimeout: task.requestTimeout,
      resourceTimeout: task.resourceTimeout, discretionary: context.configuration.isDiscretionary,
      effectiveDiscretionary: context.configuration.isDiscretionary || background != nil && origin == .background,
      allowsCellular: context.configuration.allowsCellularAccess, priority: task.priority.hundredths,
      credentialExpires: url.query.flatMap(SignedParameters.expiry), resumeData: task.resumeData?.digest,
      offset: task.resumeData?.offset, liveTasks: live.map(Int64.init), metadata: metadata)
  }
}

extension TransferError {
  fileprivate var rejection: RejectionReason {
    switch code {
    case .unsupportedURL: .unsupportedScheme
    case .sessionInvalidated: .invalidSession
    case .insufficientResources: .tooManyTasks
    case .cannotOpenFile: .missingSource
    case .cannotResume: .resumeDataInvalid
    case .dataLengthExceedsMaximum: .metadataTooLarge
    case .unsupportedInBackground: RejectionReason(rawValue: UInt8(clamping: number)) ?? .dataTaskInBackground
    default: .badURL
    }
  }
}

extension TaskConsumer {
  /// - Parameter completion: called once.
  fileprivate static func calling(_ completion: @escaping @Sendable (Data?, TransferResponse?, TransferError?) -> Void) -> Self {
    .data(.closure) { result in
      switch result {
      case .success(let (data, response)): completion(data, response, nil)
      case .failure(let error): completion(nil, nil, error)
      }
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
