import Testing
import XferEvents

/// The recognition of secrets by their names, and their removal from URLs.
struct SecretNameTests {
  @Test(arguments: [
    "Authorization", "proxy-authorization", "Cookie", "SET-COOKIE", "Cookie2", "Set-Cookie2", "X-Api-Key", "x-apikey", "Api-Key",
    "X-Auth-Token", "X-AccessToken", "Private-Token", "X-Amz-Security-Token", "X-Goog-Api-Key", "Ocp-Apim-Subscription-Key",
    "X-Vault-Token", "X-Csrf-Token", "X-XSRF-TOKEN", "DPoP", "X-Hub-Signature", "X-Session-Id", "X-Shopify-Access-Token",
    "Proxy-Authentication-Info", "X-Client-Secret", "My_Password", "Api_Key",
  ])
  func `A header field is recognized as a credential by its name`(name: String) { #expect(SecretName.matches(field: name)) }

  @Test(arguments: [
    "Accept", "ETag", "If-None-Match", "Content-Type", "User-Agent", "Range", "X-Request-Id", "Idempotency-Key", "Surrogate-Key",
    "Sec-WebSocket-Key", "X-Keyboard", "Author", "X-Design", "Cache-Control", "Referer", "Location",
  ])
  func `An ordinary header field is not taken for a credential`(name: String) { #expect(!SecretName.matches(field: name)) }

  @Test(arguments: [
    "X-Amz-Signature", "x-amz-date", "X-Goog-Credential", "x-oss-process", "q-signature", "AWSAccessKeyId", "OSSAccessKeyId",
    "GoogleAccessId", "sig", "Signature", "Policy", "Key-Pair-Id", "Hash-Algorithm", "Expires", "token", "__token__",
    "accessToken", "access_token", "refreshtoken", "clientSecret", "apiKey", "api-key", "APIKEY", "key", "password",
    "user[password]", "sessionId", "sid", "code", "code_verifier", "SAMLResponse", "hdnts", "%74oken", "%2574oken",
    "%74%6F%6B%65%6E", "x%2Damz%2Ddate", "user.pwd",
  ])
  func `A query parameter that grants access is recognized by its name`(name: String) {
    #expect(SecretName.matches(parameter: name))
  }

  @Test(arguments: [
    "page", "designer", "keyboard", "monkey", "assign", "author", "se", "sp", "sv", "sort", "q", "tokenizer", "sessions_per_day",
    "", "%", "%7",
  ])
  func `An ordinary query parameter is not taken for one that grants access`(name: String) {
    #expect(!SecretName.matches(parameter: name))
  }

  @Test(arguments: [
    ("password", true), ("userPassword", true), ("api_key", true), ("headers.authorization", true), ("token", true),
    ("cookies[0]", true), ("session", false), ("key", false), ("ticket", false), ("error.message", false), ("code", false),
  ])
  func `A named argument of a message is recognized as a secret by fewer names`(name: String, isSecret: Bool) {
    #expect(SecretName.matches(value: name) == isSecret)
  }

  @Test func `An argument with a secret's name is not even hashed, unless its privacy is stated`() {
    var message: LogMessage = "x"
    message.attach("password", "p")
    message.attach("user", "u")
    message.attach("token", "t", privacy: .public)
    message.attach("secret", "s", privacy: .private)
    let archive = EventArchive(name: "m", writer: WriterContext(), policy: PrivacyPolicy(key: (1, 2)))
    let event = archive.record(MessageDefault(eventMessage: message), at: Moment())
    let texts = (event.eventMessage?.arguments ?? []).map { argument -> String in
      if case .text(let text) = argument.value { text.description } else { "no text" }
    }
    #expect(texts.count == 4 && texts[2] == "t")
    #expect(texts.map { $0.contains("<private>") } == [true, false, false, false])
    #expect(texts.map { $0.contains("<mask.hash: ") } == [false, true, false, true])
  }

  @Test(arguments: [
    ("a=1&sig=s&b=2", "a=1&b=2"), ("sig=s&se=2026", "se=2026"),
    ("sv=2022&ss=b&srt=o&sp=r&se=2026&st=2025&spr=https&sig=s&page=2", "page=2"), ("SV=1&%73ig=s&SE=2&x=y", "x=y"),
    ("sv=1&se=2", "sv=1&se=2"), ("a=1;token=s;b=2&c", "a=1;b=2&c"), ("token=s", nil), ("", nil), ("a&b=", "a&b="),
    ("password", nil),
  ])
  func `A query is logged without parameters that grant access`(query: String, logged: String?) {
    #expect(LoggedURL.query(query) == logged)
  }

  @Test(arguments: [
    ("/a/b", "/a/b"), ("/a;jsessionid=1/b;v=2", "/a/b;v=2"), ("/a;x=1;TOKEN=2;y", "/a;x=1;y"), ("/;sid=1", "/"), ("/a;", "/a;"),
    ("/token=1/key", "/token=1/key"), ("/a;j%73essionid=1", "/a"),
  ])
  func `A path is logged without parameters that grant access`(path: String, logged: String) {
    #expect(LoggedURL.path(path) == logged)
  }
}
