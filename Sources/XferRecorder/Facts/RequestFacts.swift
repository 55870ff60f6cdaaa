internal import Foundation
internal import XferEvents

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// What a log may have of a request's head.
struct RequestFacts: Sendable {
  let method: String?
  let url: URLFacts?
  /// Joined by commas; what URLSession adds by itself is not known.
  let headers: String
  let carriesCredentials: Bool
  let hasIfRange: Bool
  let acceptedTypes: String?
  let uploadOffset: Int64?

  /// - Parameter sessionNames: names of the fields that the session adds.
  init(_ request: URLRequest?, sessionNames: [String]) {
    let names = Array(Set((request?.allHTTPHeaderFields ?? [:]).keys.loggedNames + sessionNames)).sorted()
    method = request?.httpMethod
    url = request?.url.map(URLFacts.init)
    headers = LoggedText.names(names)
    carriesCredentials = names.contains { SecretName.matches(field: $0) } || url?.hasPassword ?? false
    hasIfRange = names.contains("if-range")
    acceptedTypes = request?.value(forHTTPHeaderField: "Accept").flatMap(LoggedText.acceptedTypes)
    uploadOffset = request?.value(forHTTPHeaderField: "Upload-Offset").flatMap { Int64($0) }
  }
}
