internal import HTTPTypes
internal import XferEvents

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// Reading responses from the session's cache, and storing new ones.
extension Transfer {
  private var cache: TransferSession.ResponseCache? { context.configuration.urlCache }

  /// The current time, in seconds since 1970.
  private var wallSeconds: Int64 { context.clock.wall / 1_000_000_000 }

  private var resource: ValueDigest { context.digest(of: plan.url.resource) }

  private var cacheKey: CacheKey {
    CacheKey(
      urlText: plan.url.text, trust: context.configuration.serverTrust.partition(for: plan.url.scheme))
  }

  // MARK: Before the request

  /// Looks up the next request in the cache.
  ///
  /// - Returns: the stored answer; `nil` when the request has to be sent to the server.
  /// - Throws: an error when the server must not be asked and no usable response is stored.
  func consultCache() throws(TransferError) -> CacheUse.Answer? {
    guard !caching.isConsulted else { return nil }
    let isUnconditional = caching.isUnconditional
    caching = CacheUse(isConsulted: true)
    guard let cache, task.type == .data, CacheRequest.applies(to: plan) else { return nil }
    let request = CacheRequest(
      method: plan.method, key: cacheKey, fields: plan.fields, identity: identity, cookies: sentCookies,
      decodes: decodes && !plan.fields.contains(.acceptEncoding))
    caching.request = request
    guard !isUnconditional else { return nil }
    let policy = task.cachePolicy ?? context.configuration.requestCachePolicy
    let stored = find(request.key, in: cache)
    let verdict = CacheVerdict(stored?.head, for: request, policy: policy, now: wallSeconds)
    switch verdict {
    case .answer(let kind): return stored.map { .init(response: $0, kind: kind) }
    case .fail:
      logMissed(stored == nil ? .absent : .stale, stored)
      throw .notInCache
    case .fetch(let miss), .validate(let miss):
      caching.stored = stored
      if case .validate = verdict { caching.isConditional = true }
      logMissed(miss, stored)
      return nil
    }
  }

  private func find(_ key: CacheKey, in cache: TransferSession.ResponseCache) -> StoredResponse? {
    switch cache.find(key) {
    case .response(let stored): return stored
    case .damaged:
      logRemoved(.damaged)
      return nil
    case .nothing: return nil
    }
  }

  /// The requester's credential and client certificate, on which the response may depend. `nil` if the request has neither.
  private var identity: String? {
    let certificate = plan.url.scheme == "https" ? context.configuration.clientCertificate?.certificateFile : nil
    let known = loop.authorizations[plan.url.origin]?.credential ?? preemptiveCredential(plan.url)
    let credential = plan.fields[.authorization] ?? known.map { "\($0.user):\($0.password)" }
    return certificate == nil && credential == nil ? nil : "\(certificate ?? "") \(credential ?? "")"
  }

  /// The cookies that libcurl is expected to add to the request, as one text. `nil` if there are none.
  private var sentCookies: String? {
    let sent = CookieUse(context.configuration, plan).cookies(for: plan.url).map { "\($0.name)=\($0.value)" }
    return sent.isEmpty ? nil : sent.sorted().joined(separator: "; ")
  }

  /// Adds the conditional fields that validate the stored response.
  func addConditions(to wire: inout RequestPlan) {
    caching.requestTime = wallSeconds
    guard caching.isConditional, let conditions = caching.stored?.head.conditions else { return }
    for field in conditions { wire.fields[field.name] = field.value }
    let policy = task.cachePolicy ?? context.configuration.requestCachePolicy
    // `max-age=0` makes intermediate caches validate too.
    if policy == .reloadRevalidatingCacheData, !wire.fields.contains(.cacheControl) { wire.fields[.cacheControl] = "max-age=0" }
  }

  // MARK: The response's head

  /// Removes stored responses that are invalidated by a response to a request with an unsafe method.
  func noteInvalidation(_ head: ResponseHead) {
    guard let cache, StoragePolicy.invalidates(plan.method, status: head.status) else { return }
    if cache.remove(cacheKey) { logRemoved(.invalidated) }
    for name in [HTTPField.Name.location, .init("Content-Location")!] {
      guard let text = head.fields[name], let other = try? plan.url.resolving(text), other.origin == plan.url.origin else {
        continue
      }
      let key = CacheKey(urlText: other.text, trust: context.configuration.serverTrust.partition(for: other.scheme))
      if cache.remove(key) { logRemoved(.invalidated) }
    }
  }

  /// Handles a 304, or a server error for which the stored response may be used.
  ///
  /// - Returns: whether the stored response is used or the request is repeated.
  func answeredByStored(_ head: ResponseHead) -> Bool {
    guard let cache, let request = caching.request, let stored = caching.stored else { return false }
    if head.status == 304, caching.isConditional {
      transaction.body = .discard
      let fresh = stored.head.freshened(by: head.fields, requestTime: caching.requestTime, responseTime: wallSeconds)
      guard let fresh else {
        if cache.remove(request.key) { logRemoved(.contradicted) }
        caching.isUnconditional = true
        next = .again(plan)
        return true
      }
      var answer = stored
      answer.head = fresh
      storeInCache(answer, request)
      caching.pending = .init(response: answer, kind: .validated)
      return true
    }
    guard [500, 502, 503, 504].contains(head.status), stored.head.standsIn(for: request, now: wallSeconds) else { return false }
    transaction.body = .discard
    caching.pending = .init(response: stored, kind: .staleIfError)
    return true
  }

  /// Returns the stored response to use when the server cannot be reached. `nil` when that is not permitted.
  func standIn(for error: TransferError) -> CacheUse.Answer? {
    guard response == nil, let request = caching.request, let stored = caching.stored,
      [.cannotFindHost, .cannotConnectToHost, .networkConnectionLost, .notConnectedToInternet, .timedOut].contains(error.code),
      stored.head.standsIn(for: request, now: wallSeconds)
    else { return nil }
    return .init(response: stored, kind: .staleIfError)
  }

  // MARK: Storing the response

  /// Starts to collect the body of the task's result for the cache, if the response may be stored.
  func beginRecording(_ head: ResponseHead) {
    // If the certificate was not verified, only this session's app trusts the server. Other sessions share the cache and must
    // not get its responses.
    guard let cache, let request = caching.request, request.method == .get, tls.verifies else { return }
    let fields = StoredHead.kept(head.fields)
    let limit = cache.largestBody
    let selection = request.selection(for: fields)
    let stored = StoredHead(
      status: head.status, reason: head.reason, protocolName: head.protocolName, fields: fields,
      requestTime: caching.requestTime, responseTime: wallSeconds, selection: selection ?? [],
      isDecoded: isDecoding)
    guard selection != nil, StoragePolicy.mayKeep(stored, of: request), StoragePolicy.declaresEnd(head),
      head.expectedBytes(for: .get) ?? 0 <= limit
    else {
      // The stored response is removed, because the new one supersedes it, unless the new one is a server error.
      if head.status < 500, !request.control.isNoStore, cache.remove(request.key) { logRemoved(.superseded) }
      return
    }
    var body: Data? = Data()
    if case .memory = store { body = nil }
    caching.recording = .init(head: stored, limit: limit, body: body)
  }

  /// Ends collecting the complete response.
  ///
  /// - Returns: the response to store; `nil` when it must not be stored.
  private func finishRecording() -> CacheUse.Proposal? {
    guard let recording = caching.recording, let response else { return nil }
    caching.recording = nil
    var body = recording.body
    if case .memory(let data) = store { body = data }
    guard let body, !recording.isTooLarge, body.count <= recording.limit else { return nil }
    // libcurl has already compared the lengths. They are checked again, because a wrong cache entry would persist.
    if !recording.head.isDecoded, let length = transaction.head.expectedBytes(for: .get), length != body.count { return nil }
    return .init(head: recording.head, cached: .init(response: response, data: body))
  }

  /// Stores the response, or asks the delegate whether it may be stored.
  ///
  /// - Returns: whether the task has to wait for the delegate's answer.
  func proposeStoring() -> Bool {
    guard let proposal = finishRecording() else { return false }
    guard case .delegate = task.consumer, let delegate = task.session.delegate, let task = task as? DataTask else {
      storeInCache(proposal, as: proposal.cached)
      return false
    }
    question = .caching(proposal)
    let (lane, mailbox, proposed) = (context.lane, context.mailbox, proposal.cached)
    lane.send(
      Delivery(id: lane.makeID(), callback: .willCacheResponse, task: task.identity) {
        delegate.urlSession(task.session, dataTask: task, willCacheResponse: proposed) { answer in
          mailbox.post(.answer(task, .caching(answer)))
        }
      })
    return true
  }

  /// Stores a response with the changes that the app has made to it.
  ///
  /// - Parameter cached: the response to store; `nil` removes the stored response instead.
  func storeInCache(_ proposal: CacheUse.Proposal, as cached: TransferSession.CachedResponse?) {
    guard let cache, let request = caching.request else { return }
    guard let cached, cached.storagePolicy != .notAllowed else {
      if cache.remove(request.key) { logRemoved(.superseded) }
      return
    }
    var head = proposal.head
    if cached.data.count != proposal.cached.data.count { head.fields[.contentLength] = nil }
    let response = StoredResponse(head: head, body: cached.data, userInfo: cached.userInfo)
    storeInCache(response, request, inMemoryOnly: cached.storagePolicy == .allowedInMemoryOnly)
  }

  private func storeInCache(_ response: StoredResponse, _ request: CacheRequest, inMemoryOnly: Bool = false) {
    guard let cache else { return }
    let storing = cache.store(response, for: request.key, inMemoryOnly: inMemoryOnly)
    if storing.isStored { logStored(response) }
    if storing.eviction.count > 0 {
      sink.emit(
        CacheRemoved(cacheRemoval: .evicted, count: Int64(storing.eviction.count), size: Int64(storing.eviction.size)))
    }
  }

  // MARK: Delivering a stored response

  /// Makes a stored response the task's result.
  func take(_ answer: CacheUse.Answer) throws(TransferError) {
    logAnswered(answer)
    let head = answer.response.head
    metrics.append(
      .local(method: plan.method.rawValue, urlText: plan.url.text, status: head.status, protocolName: head.protocolName))
    let body = plan.method == .head ? Data() : answer.response.body
    let limits = context.configuration
    if let limit = limits.maximumBodyBytes, body.count > limit { throw .tooLarge(limit: limit) }
    if head.isDecoded, body.count > limits.maximumDecodedBytes { throw .tooLarge(limit: limits.maximumDecodedBytes) }
    caching.replay = .init(body: body)
    let age = answer.kind == .validated ? nil : Freshness(head, now: wallSeconds).age
    try accept(answer.response.response(urlText: plan.url.text, age: age))
  }

  /// Delivers as much of the stored body as the app accepts.
  ///
  /// - Returns: whether the body was delivered completely.
  func feed() throws(TransferError) -> Bool {
    guard var replay = caching.replay else { return true }
    if case .memory = store {
      store = .memory(replay.body)
      replay.offset = replay.body.count
    }
    while replay.offset < replay.body.count {
      let start = replay.body.startIndex + replay.offset
      let piece = replay.body[start..<min(start + Self.pieceSize, replay.body.endIndex)]
      let result = piece.withUnsafeBytes { bytes in
        Result { () throws(TransferError) in try keep(bytes) }
      }
      guard try result.get() else {
        pauses.insert(.backPressure)
        caching.replay = replay
        return false
      }
      replay.offset += piece.count
      task.counts.setReceived(Int64(replay.offset))
    }
    task.counts.setReceived(Int64(replay.body.count))
    caching.replay = nil
    return true
  }

  private static let pieceSize = 256 * 1024

  // MARK: Logging

  private func logAnswered(_ answer: CacheUse.Answer) {
    let (head, freshness) = (answer.response.head, Freshness(answer.response.head, now: wallSeconds))
    sink.emit(
      CacheAnswered(
        task: task.identity, resource: resource, cacheAnswer: answer.kind, status: head.status,
        size: Int64(answer.response.body.count), age: .seconds(freshness.age), lifetime: .seconds(freshness.lifetime),
        etag: head.fields[.eTag].map { LoggedText.bounded($0) },
        lastModified: head.fields[.lastModified].map { LoggedText.bounded($0) }))
  }

  private func logMissed(_ miss: CacheMiss, _ stored: StoredResponse?) {
    let freshness = stored.map { Freshness($0.head, now: wallSeconds) }
    sink.emit(
      CacheMissed(
        task: task.identity, resource: resource, cacheMiss: miss, age: freshness.map { .seconds($0.age) },
        lifetime: freshness.map { .seconds($0.lifetime) }))
  }

  private func logStored(_ response: StoredResponse) {
    let freshness = Freshness(response.head, now: wallSeconds)
    sink.emit(
      CacheStored(
        task: task.identity, resource: resource, status: response.head.status, size: Int64(response.body.count),
        age: .seconds(freshness.age), lifetime: .seconds(freshness.lifetime)))
  }

  private func logRemoved(_ removal: CacheRemoval) {
    sink.emit(CacheRemoved(task: task.identity, resource: resource, cacheRemoval: removal, count: 1))
  }
}

extension TransferError {
  static let notInCache = TransferError(
    .resourceUnavailable, domain: .xfer, number: 15, stage: .creation,
    problem: "the cache has no usable response, and the request must not be sent to the server")
}
