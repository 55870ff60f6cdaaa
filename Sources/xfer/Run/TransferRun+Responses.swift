import Foundation
import HTTPTypes
import XferEngine

// MARK: Handling responses
extension TransferRun {
  func urlSession(_ session: TransferSession, task: TransferTask, didReceiveHead lines: Data) {
    guard let flight = flight(task) else { return }
    let settings = flight.transfer.settings
    if self.settings.showsSteps { Narration.received(lines) }
    change(task) { $0.heads += lines }
    do throws(TransferResult.Problem) {
      if let path = settings.headFile { try heads.write(lines, to: path, group: flight.transfer.group) }
      guard settings.includesHead || settings.isHead else { return }
      if let output = flight.output {
        try output.write(lines)
      } else {
        change(task) { $0.heldHeads += lines }
      }
    } catch {
      stop(task, error)
    }
  }

  // As in curl, standard output gets the body of every attempt. A file would be truncated for the next one.
  func urlSession(_ session: TransferSession, task: TransferTask, didReceiveRetriedBody body: Data) {
    guard let flight = flight(task), flight.transfer.destination == .standardOutput, flight.output == nil else { return }
    do throws(TransferResult.Problem) {
      try checkTerminal(body, flight.transfer)
      let output = try OutputFile(.standardOutput)
      if !flight.heldHeads.isEmpty { try output.write(flight.heldHeads) }
      change(task) { $0.heldHeads = Data() }
      try output.write(body)
    } catch {
      stop(task, error)
    }
  }

  func urlSession(
    _ session: TransferSession, dataTask: DataTask, didReceive response: TransferResponse,
    completionHandler: @escaping @Sendable (TransferSession.ResponseDisposition) -> Void
  ) {
    guard let flight = flight(dataTask) else { return completionHandler(.cancel) }
    if let size = flight.probedSize {
      guard ResponseVerdict.isComplete(response, size: size) else { return completionHandler(.cancel) }
      change(dataTask) { $0.skipped = "\(flight.transfer.name) is complete already" }
      return completionHandler(.allow)
    }
    do throws(TransferResult.Problem) {
      switch ResponseVerdict(response, of: flight.transfer) {
      case .take: try openOutput(dataTask, response)
      case .skip(let reason):
        if !flight.heldHeads.isEmpty { try openOutput(dataTask, response) }
        change(dataTask) { $0.skipped = reason }
        return completionHandler(.cancel)
      case .fail(let exitCode, let text): throw .init(exitCode: exitCode, text: text)
      }
      completionHandler(.allow)
    } catch {
      change(dataTask) { $0.problem = error }
      completionHandler(.cancel)
    }
  }

  private func openOutput(_ task: TransferTask, _ response: TransferResponse) throws(TransferResult.Problem) {
    guard let flight = flight(task) else { return }
    let output = try OutputFile(target(of: flight.transfer, response))
    if !flight.heldHeads.isEmpty { try output.write(flight.heldHeads) }
    change(task) { flight in
      flight.output = output
      flight.heldHeads = Data()
    }
  }

  private func target(of transfer: PlannedTransfer, _ response: TransferResponse) -> OutputFile.Target {
    switch transfer.destination {
    case .standardOutput: .standardOutput
    case .nowhere: .nothing
    case .file(let path): .file(path, transfer.settings.keepsExisting ? .numbered : .replaced)
    case .serverNamed(let directory, let otherwise):
      .file(
        directory + Self.name(response, of: transfer, otherwise: otherwise), transfer.settings.keepsExisting ? .numbered : .kept)
    }
  }

  /// Returns the file name sent by the server or, without one, the name from the last URL after redirects.
  private static func name(_ response: TransferResponse, of transfer: PlannedTransfer, otherwise: String) -> String {
    let isRedirected = response.urlText != URLText.canonical(transfer.url)
    return response.headerFields.contains(.contentDisposition) || isRedirected ? response.suggestedFilename : otherwise
  }

  func urlSession(_ session: TransferSession, dataTask: DataTask, didReceive data: Data) {
    guard let flight = flight(dataTask), let output = flight.output else { return }
    do throws(TransferResult.Problem) {
      if !flight.isOutputChecked {
        try checkTerminal(data, flight.transfer)
        change(dataTask) { $0.isOutputChecked = true }
      }
      try output.write(data)
    } catch {
      stop(dataTask, error)
    }
  }

  /// Refuses to write binary data to a terminal unless the user asked for it. As in curl, a zero byte makes data binary.
  private func checkTerminal(_ data: Data, _ transfer: PlannedTransfer) throws(TransferResult.Problem) {
    guard transfer.destination == .standardOutput, !transfer.writesBinary, data.prefix(2000).contains(0),
      isatty(STDOUT_FILENO) == 1
    else { return }
    throw .init(
      exitCode: 23, text: "the response is binary; save it with -o FILE, or write it to the terminal anyway with -o -")
  }

  // MARK: Downloads

  func urlSession(_ session: TransferSession, downloadTask: DownloadTask, didBecomeResumable resumeData: Data) {
    guard let flight = flight(downloadTask), !flight.transfer.settings.removesOnError else { return }
    do throws(TransferResult.Problem) {
      _ = try flight.partial?.keep(resumeData, url: URLText.canonical(flight.transfer.url))
    } catch {
      Remarks.say(error.text)
    }
  }

  func urlSession(_ session: TransferSession, downloadTask: DownloadTask, didFinishDownloadingTo location: DownloadedFile) {
    guard let flight = flight(downloadTask), let response = downloadTask.response else { return }
    let transfer = flight.transfer
    do throws(TransferResult.Problem) {
      switch ResponseVerdict(response, of: transfer) {
      case .take:
        if let checksum = transfer.checksum { try check(location, checksum) }
        let path = try put(location, transfer, response)
        change(downloadTask) { $0.path = path }
      case .skip(let reason): change(downloadTask) { $0.skipped = reason }
      case .fail(let exitCode, let text): throw .init(exitCode: exitCode, text: text)
      }
    } catch {
      change(downloadTask) { $0.problem = error }
    }
  }

  private func check(_ file: DownloadedFile, _ checksum: Checksum) throws(TransferResult.Problem) {
    do {
      guard let actual = try checksum.difference(file.path) else { return }
      throw TransferResult.Problem.checksum(checksum, actual: actual)
    } catch let problem as TransferResult.Problem {
      throw problem
    } catch {
      throw .reading("the downloaded file cannot be read back: \(error.localizedDescription)")
    }
  }

  /// - Returns: The path of the file.
  private func put(
    _ file: DownloadedFile, _ transfer: PlannedTransfer, _ response: TransferResponse
  ) throws(TransferResult.Problem) -> String {
    guard case .file(let path, let existing) = target(of: transfer, response) else {
      preconditionFailure("a download task must have a file as its destination")
    }
    // The temporary file is readable only by its owner. The final file gets the usual permissions.
    chmod(file.path, permissions.mode(replacing: path))
    if let time = time(transfer, response) { FileTimes.set(time, path: file.path) }
    do throws(TransferError) {
      // The directory is synced later, once for several files, before the transfers are reported.
      return try file.move(to: path, existing, synchronisesDirectory: false)
    } catch {
      throw .init(exitCode: 23, text: "\(error)")
    }
  }

  /// Returns the modification time sent by the server, or `nil` to keep the current time.
  private func time(_ transfer: PlannedTransfer, _ response: TransferResponse?) -> Int? {
    transfer.settings.takesServerTime ? response?.headerFields[.lastModified].flatMap(HTTPDate.seconds) : nil
  }

  // MARK: Completion

  /// Finishes a transfer: writes, moves or removes its files and determines its outcome.
  func conclude(_ flight: inout Flight, _ task: TransferTask, _ error: TransferError?) {
    if flight.problem == nil, flight.skipped == nil, let error { flight.problem = .init(error) }
    let (transfer, response) = (flight.transfer, task.response)
    flight.isResumable = settlePartial(flight, error)
    do throws(TransferResult.Problem) {
      // Print response heads of a transfer that ended before its output was opened.
      if !flight.heldHeads.isEmpty, transfer.destination == .standardOutput {
        try OutputFile(.standardOutput).write(flight.heldHeads)
      }
      if flight.problem != nil {
        flight.output?.abandon()
      } else if let output = flight.output {
        flight.path = try output.commit(
          mode: permissions.creation, modified: time(transfer, response), synchronises: settings.synchronises)
      }
      if let path = transfer.settings.etagSave, flight.problem == nil, let tag = response?.headerFields[.eTag], !tag.isEmpty {
        try save(tag, path, createsDirectories: transfer.settings.createsDirectories)
      }
    } catch {
      flight.output?.abandon()
      flight.problem = error
    }
    if flight.problem == nil, flight.probedSize == nil, transfer.settings.onStatus != .accept, let status = response?.statusCode,
      status >= 400
    {
      flight.problem = .status(status)
    }
  }

  /// - Returns: Whether the partial download was kept to be resumed.
  private func settlePartial(_ flight: Flight, _ error: TransferError?) -> Bool {
    guard let resumeData = error?.downloadTaskResumeData else {
      flight.partial?.remove()
      return false
    }
    guard let partial = flight.partial, !flight.transfer.settings.removesOnError else {
      TransferSession.discardResumeData(resumeData)
      flight.partial?.remove()
      return false
    }
    do throws(TransferResult.Problem) {
      if try partial.keep(resumeData, url: URLText.canonical(flight.transfer.url)) { return true }
    } catch {
      Remarks.say(error.text)
    }
    // No sidecar refers to the partial file, so remove it.
    TransferSession.discardResumeData(resumeData)
    return false
  }

  private func save(_ tag: String, _ path: String, createsDirectories: Bool) throws(TransferResult.Problem) {
    if createsDirectories, let slash = path.lastIndex(of: "/") {
      try? FileManager.default.createDirectory(atPath: String(path[..<slash]), withIntermediateDirectories: true)
    }
    try OutputFile.put("\(tag)\n", at: path, mode: permissions.creation)
  }
}
