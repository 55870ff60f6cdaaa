public import HTTPTypes

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The head of the response that a task ended with, after redirects.
public struct TransferResponse: Sendable, Equatable {
  /// Without user, password and fragment.
  public let urlText: String
  public let httpResponse: HTTPResponse
  /// `http/1.1`.
  public let networkProtocolName: String
  /// Bytes of the body as the server declared them; `nil` when it declared none, or no body is to come.
  public let expectedContentLength: Int64?

  package init(urlText: String, httpResponse: HTTPResponse, networkProtocolName: String, expectedContentLength: Int64?) {
    (self.urlText, self.httpResponse) = (urlText, httpResponse)
    (self.networkProtocolName, self.expectedContentLength) = (networkProtocolName, expectedContentLength)
  }

  public var statusCode: Int { httpResponse.status.code }
  public var headerFields: HTTPFields { httpResponse.headerFields }
  public var url: URL? { URL(string: urlText) }

  /// `Content-Type` without its parameters, lower case; `nil` when the server sent none.
  public var mimeType: String? {
    headerFields[.contentType].map { type in
      type.prefix { $0 != ";" && !$0.isWhitespace }.lowercased()
    }
  }
}
