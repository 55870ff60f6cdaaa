internal import Foundation
internal import XferEvents

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The loggable parts of a request's header.
struct RequestFacts: Sendable {
  let method: String?
  let url: URLFacts?
  /// The names of the header fields, separated by commas. Fields that URLSession itself adds are unknown.
  let headers: String
  let carriesCredentials: Bool
  let hasIfRange: Bool
  let acceptedTypes: String?
  let uploadOffset: Int64?

  /// - Parameter sessionNames: The names of the header fields that the session configuration adds.
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
