public import HTTPTypes
internal import XferEvents

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension TransferSession {
  // MARK: Data tasks

  /// Creates a suspended task that passes the response body to the delegate.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - cachePolicy: The cache policy. `nil` means the session's.
  ///   - taskDescription: The purpose of the task, in the app's own words. Logged as a private value. Takes precedence over the
  ///     description in `options`.
  ///   - options: Further options of the task.
  /// - Throws: An error if the session was invalidated or the request is not supported. The rejection is logged.
  public func dataTask(
    with request: HTTPRequest, cachePolicy: RequestCachePolicy? = nil, taskDescription: String? = nil,
    options: TaskOptions = TaskOptions()
  ) throws(TransferError) -> DataTask {
    try makeDataTask(request, .delegate, options.described(as: taskDescription), cachePolicy)
  }

  /// Creates a suspended task that gets a URL and passes the response body to the delegate.
  public func dataTask(with url: URL, taskDescription: String? = nil, options: TaskOptions = TaskOptions()) throws(TransferError)
    -> DataTask
  {
    try dataTask(with: HTTPRequest(url: url), taskDescription: taskDescription, options: options)
  }

  /// Creates a suspended task that calls its completion handler once, on the delegate executor.
  ///
  /// The handler gets the body in memory and the response, or an error.
  public func dataTask(
    with request: HTTPRequest, cachePolicy: RequestCachePolicy? = nil, taskDescription: String? = nil,
    options: TaskOptions = TaskOptions(),
    completionHandler: @escaping @Sendable (Data?, TransferResponse?, TransferError?) -> Void
  ) throws(TransferError) -> DataTask {
    try makeDataTask(request, .calling(completionHandler), options.described(as: taskDescription), cachePolicy)
  }

  // MARK: Upload tasks

  /// Creates a suspended task that uploads bytes from memory and passes the response body to the delegate.
  public func uploadTask(
    with request: HTTPRequest, from bodyData: Data, taskDescription: String? = nil, options: TaskOptions = TaskOptions()
  ) throws(TransferError) -> UploadTask {
    try makeUploadTask(request, .data(bodyData), .delegate, options.described(as: taskDescription))
  }

  /// Creates a suspended task that uploads a file and passes the response body to the delegate.
  ///
  /// The file must exist now, but its contents are read when the request is sent.
  public func uploadTask(
    with request: HTTPRequest, fromFile fileURL: URL, taskDescription: String? = nil, options: TaskOptions = TaskOptions()
  ) throws(TransferError) -> UploadTask {
    try makeUploadTask(request, file: fileURL, .delegate, options.described(as: taskDescription))
  }

  /// Creates a suspended task that uploads a stream, which the delegate provides each time the body is sent
  /// (`needNewBodyStream`).
  public func uploadTask(
    withStreamedRequest request: HTTPRequest, taskDescription: String? = nil, options: TaskOptions = TaskOptions()
  ) throws(TransferError) -> UploadTask {
    try makeUploadTask(request, .stream, .delegate, options.described(as: taskDescription))
  }

  /// Creates a suspended task that uploads bytes from memory and calls its completion handler once, on the delegate executor.
  public func uploadTask(
    with request: HTTPRequest, from bodyData: Data, taskDescription: String? = nil, options: TaskOptions = TaskOptions(),
    completionHandler: @escaping @Sendable (Data?, TransferResponse?, TransferError?) -> Void
  ) throws(TransferError) -> UploadTask {
    try makeUploadTask(request, .data(bodyData), .calling(completionHandler), options.described(as: taskDescription))
  }

  /// Creates a suspended task that uploads a file and calls its completion handler once, on the delegate executor.
  public func uploadTask(
    with request: HTTPRequest, fromFile fileURL: URL, taskDescription: String? = nil, options: TaskOptions = TaskOptions(),
    completionHandler: @escaping @Sendable (Data?, TransferResponse?, TransferError?) -> Void
  ) throws(TransferError) -> UploadTask {
    try makeUploadTask(request, file: fileURL, .calling(completionHandler), options.described(as: taskDescription))
  }

  // MARK: Download tasks

  /// Creates a suspended task that writes the response body to a temporary file and passes the file to the delegate.
  public func downloadTask(with request: HTTPRequest, taskDescription: String? = nil, options: TaskOptions = TaskOptions())
    throws(TransferError) -> DownloadTask
  {
    try makeDownloadTask(request, .delegate, options.described(as: taskDescription))
  }

  /// Creates a suspended task that downloads a URL to a temporary file and passes the file to the delegate.
  public func downloadTask(with url: URL, taskDescription: String? = nil, options: TaskOptions = TaskOptions())
    throws(TransferError) -> DownloadTask
  {
    try downloadTask(with: HTTPRequest(url: url), taskDescription: taskDescription, options: options)
  }

  /// Creates a suspended task that downloads to a temporary file and calls its completion handler once, on the delegate
  /// executor.
  ///
  /// The temporary file is deleted when the handler returns, unless the handler has moved it.
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

  /// Creates a suspended task that resumes a partial download. The task starts from the beginning if the resource has changed.
  ///
  /// - Parameters:
  ///   - resumeData: The resume data from `cancel(byProducingResumeData:)` or from the error of a failed download.
  ///   - headerFields: Header fields to add to the request, such as credentials, which resume data does not contain.
  public func downloadTask(
    withResumeData resumeData: Data, headerFields: HTTPFields = [:], taskDescription: String? = nil,
    options: TaskOptions = TaskOptions()
  ) throws(TransferError) -> DownloadTask {
    try makeDownloadTask(resumeData, headerFields, .delegate, options.described(as: taskDescription))
  }

  // MARK: Task creation

  func makeDownloadTask(
    _ bytes: Data, _ headerFields: HTTPFields, _ consumer: TaskConsumer, _ options: TaskOptions
  ) throws(TransferError) -> DownloadTask {
    let resumeData = try loggingRejection(of: .download) { () throws(TransferError) in try ResumeData(bytes) }
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
    try loggingRejection(of: type) { () throws(TransferError) in
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

  /// Logs the error with which `make` rejects a task, and rethrows it.
  private func loggingRejection<Task>(of type: TaskType, _ make: () throws(TransferError) -> Task) throws(TransferError) -> Task {
    do throws(TransferError) {
      return try make()
    } catch {
      context.sink.emit(
        TaskRejected(
          session: name, instance: context.instance, type: type, rejection: error.rejection, message: error.problem))
      throw error
    }
  }

  /// Returns the event that logs the creation of a task.
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
      offset: task.resumeData?.offset, liveTasks: live.map(Int64.init), metadata: metadata,
      continues: task.resumeData?.task.flatMap { TaskUID($0) }.map { "\($0)" })
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
  /// Returns a consumer that collects the body in memory.
  ///
  /// - Parameter completion: A closure that is called once, with the body and the response or with an error.
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
  /// Creates a request for a URL given as text. A malformed URL is rejected when a task is created.
  public init(method: Method, urlText: String, headerFields: HTTPFields = [:]) {
    guard let mark = urlText.schemeMark, mark.lowerBound > urlText.startIndex, mark.upperBound < urlText.endIndex else {
      self.init(method: method, scheme: nil, authority: nil, path: urlText, headerFields: headerFields)
      return
    }
    let rest = urlText.utf8[mark.upperBound...]
    let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let target = rest[authority.endIndex...].prefix { $0 != UInt8(ascii: "#") }
    let path = urlText[target.startIndex..<target.endIndex]
    self.init(
      method: method, scheme: String(urlText[..<mark.lowerBound]),
      authority: String(urlText[authority.startIndex..<authority.endIndex]),
      path: target.first == UInt8(ascii: "/") ? String(path) : "/\(path)", headerFields: headerFields)
  }
}
