import Foundation
import HTTPTypes
import XferEngine

// What goes out.
extension TransferRun {
  func makeTask(_ transfer: PlannedTransfer, _ session: TransferSession) throws(TransferResult.Problem) -> TransferTask {
    let request = HTTPRequest(method: transfer.method, urlText: transfer.url, headerFields: fields(of: transfer))
    let target = try checkFiles(transfer)
    do throws(TransferError) {
      switch transfer.body {
      case .none where isDownload(transfer, to: target): return try makeDownload(transfer, request, session)
      case .none: return try session.dataTask(with: request)
      case .bytes(let bytes): return try session.uploadTask(with: request, from: Data(bytes))
      case .file(let path, false) where FileKind(path) == .regular:
        return try session.uploadTask(with: request, fromFile: URL(fileURLWithPath: path))
      case .file, .standardInput: return try session.uploadTask(withStreamedRequest: request)
      }
    } catch {
      throw error.code == .cannotOpenFile ? .reading("\(error)") : .init(error)
    }
  }

  /// A directory is neither read nor written.
  ///
  /// - Returns: what there is where the body is to go.
  private func checkFiles(_ transfer: PlannedTransfer) throws(TransferResult.Problem) -> FileKind {
    if case .file(let path, _) = transfer.body, FileKind(path) == .directory { throw .reading("\(path) is a directory") }
    guard case .file(let path) = transfer.destination else { return .nothing }
    let kind = FileKind(path)
    if kind == .directory { throw .init(exitCode: 23, text: "\(path) is a directory") }
    return kind
  }

  /// With who asks, where that is said unasked.
  private func fields(of transfer: PlannedTransfer) -> HTTPFields {
    var fields = transfer.fields
    if let condition = transfer.condition { fields[condition.field.name] = condition.field.value }
    if let credential = transfer.credential, transfer.settings.authentication == .basic, !fields.contains(.authorization) {
      fields[.authorization] = "Basic " + Data("\(credential.user):\(credential.password)".utf8).base64EncodedString()
    }
    return fields
  }

  /// Whether the engine writes the file, which can be gone on with then.
  private func isDownload(_ transfer: PlannedTransfer, to target: FileKind) -> Bool {
    guard transfer.method == .get, !transfer.settings.includesHead, transfer.offset == nil else { return false }
    switch transfer.destination {
    case .file: return target != .special
    case .serverNamed: return true
    case .standardOutput, .nowhere: return false
    }
  }

  private func makeDownload(
    _ transfer: PlannedTransfer, _ request: HTTPRequest, _ session: TransferSession
  ) throws(TransferError) -> TransferTask {
    guard case .file(let path) = transfer.destination else { return try session.downloadTask(with: request) }
    let partial = PartialDownload(of: path)
    guard let resumeData = partial.resumeData else {
      if transfer.resumes, FileKind(path) == .regular {
        Remarks.say("nothing says which version \(path) is of: it is fetched from its beginning")
      }
      return try session.downloadTask(with: request)
    }
    if transfer.resumes, TransferSession.urlText(ofResumeData: resumeData) == URLText.canonical(transfer.url),
      let task = try? session.downloadTask(withResumeData: resumeData, headerFields: request.headerFields)
    {
      return task
    }
    if transfer.resumes { Remarks.say("what is left of \(path) is of no use: it is fetched from its beginning") }
    TransferSession.discardResumeData(resumeData)
    partial.remove()
    return try session.downloadTask(with: request)
  }

  // MARK: Asked by the engine

  func urlSession(
    _ session: TransferSession, task: TransferTask,
    needNewBodyStream completionHandler: @escaping @Sendable (RequestBodyStream?) -> Void
  ) {
    guard let flight = flight(task) else { return completionHandler(nil) }
    let (path, length): (String?, Int64?) =
      switch flight.transfer.body {
      case .file(let path, _): (path, nil)
      case .standardInput(let length): (nil, length)
      case .none, .bytes: (nil, nil)
      }
    let descriptor = path.map { open($0, O_RDONLY | O_CLOEXEC) } ?? dup(STDIN_FILENO)
    guard descriptor >= 0 else {
      change(task) { $0.problem = .reading("\(path ?? "standard input") cannot be read: \(String(cString: strerror(errno)))") }
      return completionHandler(nil)
    }
    completionHandler(RequestBodyStream(DescriptorParts(descriptor: descriptor, limit: length), length: length))
  }

  func urlSession(
    _ session: TransferSession, task: TransferTask, willPerformHTTPRedirection response: TransferResponse,
    newRequest request: HTTPRequest, completionHandler: @escaping @Sendable (HTTPRequest?) -> Void
  ) {
    guard let flight = flight(task) else { return completionHandler(nil) }
    var request = request
    if flight.transfer.settings.referer?.hasSuffix(";auto") ?? false {
      request.headerFields[.referer] = response.urlText
      change(task) { $0.referer = response.urlText }
    }
    if settings.showsSteps { Narration.sent(request) }
    completionHandler(request)
  }

  func urlSession(
    _ session: TransferSession, task: TransferTask, didReceive challenge: TransferSession.AuthenticationChallenge,
    completionHandler: @escaping @Sendable (TransferSession.AuthChallengeDisposition, TransferSession.Credential?) -> Void
  ) {
    guard let transfer = flight(task)?.transfer, let credential = transfer.credential, challenge.previousFailureCount == 0,
      !challenge.protectionSpace.isProxy, URLText.isOrigin(of: transfer.url, challenge.protectionSpace)
    else { return completionHandler(.performDefaultHandling, nil) }
    switch (transfer.settings.authentication, challenge.protectionSpace.authenticationMethod) {
    case (.digest, .httpBasic): completionHandler(.rejectProtectionSpace, nil)
    case (.digest, .httpDigest), (.any, .httpDigest), (.any, .httpBasic): completionHandler(.useCredential, credential)
    // It was said unasked, and refused.
    case (.basic, .httpBasic), (.basic, .httpDigest): completionHandler(.performDefaultHandling, nil)
    // Options say beforehand whom to trust and what to show.
    case (_, .serverTrust), (_, .clientCertificate): completionHandler(.performDefaultHandling, nil)
    }
  }
}

/// What a descriptor has, in parts; closes it at the end.
struct DescriptorParts: AsyncSequence, Sendable {
  let descriptor: Int32
  /// Bytes after which it ends; `nil` for the end of what there is.
  let limit: Int64?

  func makeAsyncIterator() -> Iterator { Iterator(descriptor: descriptor, left: limit ?? .max) }

  struct Iterator: AsyncIteratorProtocol {
    let descriptor: Int32
    var left: Int64
    private static let size = 1 << 16

    mutating func next() async throws -> Data? {
      while left > 0 {
        var data = Data(count: Int(Swift.min(Int64(Self.size), left)))
        let count = data.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        if count < 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        if count == 0 { break }
        left -= Int64(count)
        return data.prefix(count)
      }
      close(descriptor)
      return nil
    }
  }
}
