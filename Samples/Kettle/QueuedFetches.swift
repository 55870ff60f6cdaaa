import Foundation
import HTTPTypes
import XferEngine
import XferEvents

/// Downloads over a single connection, with a request timeout of one second.
final class QueuedFetches: TransferSessionDelegate {
  private let app: KettleApp

  init(_ app: KettleApp) { self.app = app }

  func start(_ urls: [String]) {
    var configuration = TransferSession.Configuration.default
    configuration.httpMaximumConnectionsPerHost = 1
    configuration.timeoutIntervalForRequest = .seconds(1)
    if app.does(.countQueue) { configuration.requestTimeoutOrigin = .resume }
    let session = TransferSession(configuration: configuration, delegate: self, sink: app.log)
    for url in urls {
      do throws(TransferError) {
        try session.downloadTask(with: HTTPRequest(method: .get, urlText: url), taskDescription: url).resume()
      } catch {
        print("\(error)")
      }
    }
    session.finishTasksAndInvalidate()
  }

  func urlSession(_ session: TransferSession, downloadTask: DownloadTask, didFinishDownloadingTo location: DownloadedFile) {
    app.keep(location, of: downloadTask)
  }

  func urlSession(_ session: TransferSession, didBecomeInvalidWithError error: TransferError?) { app.leave(code: 0) }
}
