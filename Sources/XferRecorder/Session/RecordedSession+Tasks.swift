public import Foundation
internal import XferEvents

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

// Creation of tasks that report to the delegate. Like URLSession's, new tasks are suspended.
extension RecordedSession {
  public func dataTask(with request: URLRequest) -> URLSessionDataTask {
    recording.makeTask(.init(.data, .delegate)) { urlSession.dataTask(with: request) }.0
  }

  public func dataTask(with url: URL) -> URLSessionDataTask { dataTask(with: URLRequest(url: url)) }

  public func downloadTask(with request: URLRequest) -> URLSessionDownloadTask {
    recording.makeTask(.init(.download, .delegate)) { urlSession.downloadTask(with: request) }.0
  }

  public func downloadTask(with url: URL) -> URLSessionDownloadTask { downloadTask(with: URLRequest(url: url)) }

  /// Creates a download task that continues an earlier download.
  ///
  /// - Parameter resumeData: The resume data of the earlier task. The log contains only a digest of the data.
  public func downloadTask(withResumeData resumeData: Data) -> URLSessionDownloadTask {
    recording.makeTask(.init(.download, .delegate, resumeData: resumeData)) {
      urlSession.downloadTask(withResumeData: resumeData)
    }.0
  }

  public func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask {
    recording.makeTask(.init(.upload, .delegate, source: fileURL)) { urlSession.uploadTask(with: request, fromFile: fileURL) }.0
  }

  public func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask {
    recording.makeTask(.init(.upload, .delegate)) { urlSession.uploadTask(with: request, from: bodyData) }.0
  }

  public func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
    recording.makeTask(.init(.upload, .delegate)) { urlSession.uploadTask(withStreamedRequest: request) }.0
  }
}
