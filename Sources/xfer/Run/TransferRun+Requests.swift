import Foundation
import HTTPTypes
import XferEngine

// MARK: Making requests
extension TransferRun {
  /// - Returns: The task and, for a download that can be resumed later, its partial file.
  func makeTask(
    _ transfer: PlannedTransfer, _ session: TransferSession
  ) throws(TransferResult.Problem) -> (TransferTask, PartialDownload?) {
    let request = HTTPRequest(method: transfer.method, urlText: transfer.url, headerFields: fields(of: transfer))
    let target = try checkFiles(transfer)
    do throws(TransferError) {
      switch transfer.body {
      case .none where isDownload(transfer, to: target): return try makeDownload(transfer, request, session)
      case .none: return (try session.dataTask(with: request), nil)
      case .bytes(let bytes): return (try session.uploadTask(with: request, from: Data(bytes)), nil)
      case .file(let path, false) where FileKind(path) == .regular:
        return (try session.uploadTask(with: request, fromFile: URL(fileURLWithPath: path)), nil)
      case .file, .standardInput: return (try session.uploadTask(withStreamedRequest: request), nil)
      }
    } catch {
      throw error.code == .cannotOpenFile ? .reading("\(error)") : .init(error)
    }
  }

  /// Checks that the upload and the destination are not directories.
  ///
  /// - Returns: The kind of the existing file at the destination.
  private func checkFiles(_ transfer: PlannedTransfer) throws(TransferResult.Problem) -> FileKind {
    if case .file(let path, _) = transfer.body, FileKind(path) == .directory { throw .reading("\(path) is a directory") }
    guard case .file(let path) = transfer.destination else { return .nothing }
    let kind = FileKind(path)
    if kind == .directory { throw .init(exitCode: 23, text: "\(path) is a directory") }
    return kind
  }

  /// The request's header fields, including preemptive Basic credentials.
  private func fields(of transfer: PlannedTransfer) -> HTTPFields {
    var fields = transfer.fields
    if let condition = transfer.condition { fields[condition.field.name] = condition.field.value }
    if let credential = transfer.credential, transfer.settings.authentication == .basic, !fields.contains(.authorization) {
      fields[.authorization] = "Basic " + Data("\(credential.user):\(credential.password)".utf8).base64EncodedString()
    }
    return fields
  }

  /// Returns whether to use a download task, which writes the file itself and can be resumed.
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
  ) throws(TransferError) -> (TransferTask, PartialDownload?) {
    var options = TransferSession.TaskOptions()
    guard case .file(let path) = transfer.destination else {
      // Placing the partial file in the destination directory avoids a copy at the end.
      if case .serverNamed(let directory, _) = transfer.destination, !directory.isEmpty {
        options.partialDirectory = DurableFile.directory(of: directory)
      } else {
        options.partialDirectory = "."
      }
      return (try session.downloadTask(with: request, options: options), nil)
    }
    options.partialDirectory = DurableFile.directory(of: path)
    let partial = PartialDownload(of: path)
    if let resumeData = resumeData(transfer, partial, path),
      let task = try? session.downloadTask(withResumeData: resumeData, headerFields: request.headerFields, options: options)
    {
      return (task, partial)
    }
    return (try session.downloadTask(with: request, options: options), partial)
  }

  /// Returns the size of the existing file of a transfer with `-C -` that no sidecar describes. `nil` for other transfers.
  ///
  /// The version of such a file is unknown, so it is not continued. But it may be complete, which the server can tell.
  func sizeToProbe(_ transfer: PlannedTransfer) -> Int64? {
    guard transfer.resumes, transfer.body == .none, transfer.checksum == nil, case .file(let path) = transfer.destination,
      isDownload(transfer, to: FileKind(path)), !PartialDownload.exists(for: path)
    else { return nil }
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { return nil }
    return Int64(status.st_size)
  }

  /// Returns a task that asks the server for the bytes after the end of a file, as curl does.
  func makeProbe(
    _ transfer: PlannedTransfer, from size: Int64, _ session: TransferSession
  ) throws(TransferResult.Problem) -> TransferTask {
    var fields = fields(of: transfer)
    fields[.range] = "bytes=\(size)-"
    do throws(TransferError) {
      return try session.dataTask(with: HTTPRequest(method: transfer.method, urlText: transfer.url, headerFields: fields))
    } catch {
      throw .init(error)
    }
  }

  /// Checks the partial file of an earlier command, and removes it if it is trusted but not used.
  ///
  /// - Returns: The resume data, or `nil` when the download starts from the beginning.
  private func resumeData(_ transfer: PlannedTransfer, _ partial: PartialDownload, _ path: String) -> Data? {
    let fresh = "\(path) is downloaded from the beginning"
    switch partial.claim() {
    case .nothing:
      if transfer.resumes, FileKind(path) == .regular {
        Remarks.say("\(path) has no \(path).xfer, so its version is unknown: it is downloaded from the beginning")
      }
    case .busy:
      Remarks.say("another xfer is downloading to \(path): \(fresh), and cannot be resumed if it is interrupted")
    case .refused(let reason):
      Remarks.say("\(path).xfer is ignored: \(reason). \(fresh). Remove \(path).xfer if it is not needed")
    case .stale:
      if transfer.resumes { Remarks.say("the partial download of \(path) is unusable: it is downloaded from the beginning") }
    case .left(let record):
      if transfer.resumes, let data = partial.resumeData(record, url: URLText.canonical(transfer.url)) { return data }
      if transfer.resumes { Remarks.say("the partial download of \(path) is unusable: it is downloaded from the beginning") }
      partial.discard(record)
    }
    return nil
  }

  // MARK: Requests from the engine

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
    // The credential was already sent preemptively and was refused, so do not send it again.
    case (.basic, .httpBasic), (.basic, .httpDigest): completionHandler(.performDefaultHandling, nil)
    // The session's configuration already contains the options for server trust and the client certificate.
    case (_, .serverTrust), (_, .clientCertificate): completionHandler(.performDefaultHandling, nil)
    }
  }
}

/// The bytes of a file descriptor, as a sequence of parts. The descriptor is closed at the end.
struct DescriptorParts: AsyncSequence, Sendable {
  let descriptor: Int32
  /// The maximum number of bytes to read. `nil` means until the end of the file.
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
