// The part of swift-http-types that its trait FoundationURL enables. The original needs CoreFoundation.
public import Foundation

extension HTTPRequest {
  public var url: URL? {
    get { fatalError() }
    set {}
  }
  public init(method: Method = .get, url: URL, headerFields: HTTPFields = [:]) { fatalError() }
}
