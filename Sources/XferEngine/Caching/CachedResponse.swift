#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension TransferSession {
  /// A response with its body, as a cache has it: URLSession's `CachedURLResponse`.
  public struct CachedResponse: Sendable, Equatable {
    public let response: TransferResponse
    /// After content decoding.
    public var data: Data
    /// Texts of the app's own, which are kept along.
    public var userInfo: [String: String]
    public var storagePolicy: StoragePolicy

    public enum StoragePolicy: Sendable {
      case allowed, allowedInMemoryOnly, notAllowed
    }

    public init(
      response: TransferResponse, data: Data, userInfo: [String: String] = [:], storagePolicy: StoragePolicy = .allowed
    ) {
      self.response = response
      self.data = data
      self.userInfo = userInfo
      self.storagePolicy = storagePolicy
    }
  }

  /// Whether data tasks are answered from the cache: URLSession's `NSURLRequest.CachePolicy`.
  public enum RequestCachePolicy: String, Sendable, CaseIterable {
    /// As HTTP has it (RFC 9111), with the request's own `Cache-Control`.
    case useProtocolCachePolicy
    /// The server is asked; what it answers may be stored.
    case reloadIgnoringLocalCacheData
    /// What is stored, whatever its age; otherwise the server is asked.
    case returnCacheDataElseLoad
    /// What is stored, whatever its age; otherwise the task fails with `resourceUnavailable`.
    case returnCacheDataDontLoad
    /// What is stored, once the server has said that it is still good.
    case reloadRevalidatingCacheData
  }
}
