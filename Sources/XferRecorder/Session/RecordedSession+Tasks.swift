public import Foundation
internal import XferEvents

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

// Tasks whose delegate hears of them; suspended, as URLSession's are.
extension RecordedSession {
  public func dataTask(with request: URLRequest) -> URLSessionDataTask {
    recording.making(.init(.data, .delegate)) { urlSession.dataTask(with: request) }.0
  }

  public func dataTask(with url: URL) -> URLSessionDataTask { dataTask(with: URLRequest(url: url)) }

  public func downloadTask(with request: URLRequest) -> URLSessionDownloadTask {
    recording.making(.init(.download, .delegate)) { urlSession.downloadTask(with: request) }.0
  }

  public func downloadTask(with url: URL) -> URLSessionDownloadTask { downloadTask(with: URLRequest(url: url)) }

  /// - Parameter resumeData: of an earlier task; the log has a digest of it.
  public func downloadTask(withResumeData resumeData: Data) -> URLSessionDownloadTask {
    recording.making(.init(.download, .delegate, resumeData: resumeData)) {
      urlSession.downloadTask(withResumeData: resumeData)
    }.0
  }

  public func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask {
    recording.making(.init(.upload, .delegate, source: fileURL)) { urlSession.uploadTask(with: request, fromFile: fileURL) }.0
  }

  public func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask {
    recording.making(.init(.upload, .delegate)) { urlSession.uploadTask(with: request, from: bodyData) }.0
  }

  public func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
    recording.making(.init(.upload, .delegate)) { urlSession.uploadTask(withStreamedRequest: request) }.0
  }
}
