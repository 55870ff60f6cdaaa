#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension TransferSession {
  /// A cached response with its body. Corresponds to URLSession's `CachedURLResponse`.
  public struct CachedResponse: Sendable, Equatable {
    public let response: TransferResponse
    /// The body after content decoding.
    public var data: Data
    /// The app's own texts, stored with the response.
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

  /// The policy that decides whether a data task is answered from the cache. Corresponds to `NSURLRequest.CachePolicy`.
  public enum RequestCachePolicy: String, Sendable, CaseIterable {
    /// The rules of HTTP (RFC 9111) apply, including the request's own `Cache-Control` field.
    case useProtocolCachePolicy
    /// Requests always go to the server. Its response may be stored.
    case reloadIgnoringLocalCacheData
    /// A stored response is used whatever its age. Without one, the request goes to the server.
    case returnCacheDataElseLoad
    /// A stored response is used whatever its age. Without one, the task fails with `resourceUnavailable`.
    case returnCacheDataDontLoad
    /// A stored response is used only after the server has validated it.
    case reloadRevalidatingCacheData
  }
}
