import LogTestSupport

/// A place where a secret may occur. The tests put a different canary text into each place.
enum Canary: String, CaseIterable, Sendable {
  // MARK: Requests
  case urlUser = "the user of a URL"
  case urlPassword = "the password of a URL"
  case urlPath = "a URL's path"
  case pathParameter = "a session in a URL's path"
  case queryValue = "a query value"
  case amazonSignature = "an Amazon signature"
  case amazonCredential = "an Amazon credential"
  case googleSignature = "a Google signature"
  case azureSignature = "an Azure signature"
  case azureExpiry = "the rest of an Azure signature"
  case cloudFrontPolicy = "a CloudFront policy"
  case tokenParameter = "a token in the query"
  case encodedName = "a parameter whose name is percent-encoded"
  case camelCaseName = "a parameter called clientSecret"
  case authorization = "Authorization"
  case proxyAuthorization = "Proxy-Authorization"
  case cookie = "Cookie"
  case apiKey = "X-Api-Key"
  case authToken = "X-Auth-Token"
  case referer = "Referer"
  case userAgent = "User-Agent"
  case requestField = "a field of the caller's own"
  // MARK: Responses
  case setCookie = "Set-Cookie"
  case challenge = "WWW-Authenticate"
  case suggestedName = "Content-Disposition"
  case mediaTypeParameter = "a parameter of Content-Type"
  case contentCoding = "Content-Encoding"
  case responseField = "a field of the server's own"
  case reasonPhrase = "a reason phrase"
  case redirectUser = "user and password of a Location"
  case redirectPath = "the path of a Location"
  case redirectQuery = "the query of a Location"
  // MARK: App events
  case description = "a task's description"
  case destination = "where a download is moved"
  case temporaryDirectory = "where a download is written"
  case sourceFile = "a file to be sent"
  case rejectedURL = "a URL that is refused"
  case noted = "the text of an app's note"
  case outcome = "the reason of an outcome"
  case intentUser = "the user in an intent's URL"
  case intentQuery = "the query of an intent's URL"
  // MARK: Log messages
  case argument = "a message argument without a privacy option"
  case privateArgument = "a private argument"
  case unhashedArgument = "a private argument without a hash"
  case sensitiveArgument = "a sensitive argument"
  case nestedError = "an error within an error"
  case namedArgument = "an argument called password"
  case swiftLogMessage = "a message of swift-log"
  case swiftLogMetadata = "swift-log's metadata"
  case swiftLogError = "an error logged with swift-log"
  // MARK: Command arguments
  case emittedMessage = "emit --private"
  case emittedField = "emit --private --field"
  case emittedToken = "emit --field token="
  case emittedIntent = "an intent of emit --private"
  case fetchedPath = "xfer --private, path"
  case fetchedFile = "xfer --private, destination"
  case fetchedSession = "xfer, a session in the path"
  case fetchedToken = "xfer, a token in the query"
  case fetchedPassword = "xfer, a password in the URL"
  // MARK: Values never stored in any capture mode
  case fragment = "a URL's fragment"
  case body = "a response's body"
  case environment = "the environment"

  /// Whether the `full` capture mode stores this value.
  var isEverKept: Bool { ![.fragment, .body, .environment].contains(self) }

  static let kept = allCases.filter(\.isEverKept)

  /// The canary text: letters and digits, so that no encoding changes it, starting with a letter as a URL scheme must.
  var text: String {
    var random = SeededRandom(seed: UInt64(Self.allCases.firstIndex(of: self)!) + 1000)
    let alphabet = Array("abcdefghijkmnpqrstuvwxyz23456789")
    return "k" + String((0..<17).map { _ in alphabet.randomElement(using: &random)! })
  }
}
