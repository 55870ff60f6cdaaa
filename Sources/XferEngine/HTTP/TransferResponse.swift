public import HTTPTypes

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The head of the response that a task ended with, after redirects.
public struct TransferResponse: Sendable, Equatable {
  /// The URL of the response, without user, password and fragment.
  public let urlText: String
  public let httpResponse: HTTPResponse
  /// The protocol's ALPN name, such as `http/1.1` or `h2`.
  public let networkProtocolName: String
  /// The declared size of the body, in bytes. `nil` when it is not declared or there is no body.
  public let expectedContentLength: Int64?

  package init(urlText: String, httpResponse: HTTPResponse, networkProtocolName: String, expectedContentLength: Int64?) {
    (self.urlText, self.httpResponse) = (urlText, httpResponse)
    (self.networkProtocolName, self.expectedContentLength) = (networkProtocolName, expectedContentLength)
  }

  public var statusCode: Int { httpResponse.status.code }
  public var headerFields: HTTPFields { httpResponse.headerFields }
  public var url: URL? { URL(string: urlText) }

  /// The media type from `Content-Type` in lower case, without parameters. `nil` when the field is missing.
  public var mimeType: String? {
    headerFields[.contentType].map { type in
      type.prefix { $0 != ";" && !$0.isWhitespace }.lowercased()
    }
  }
}
