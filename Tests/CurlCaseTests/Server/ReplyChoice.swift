/// The choice of a case's reply for each request.
///
/// The number at the start of the target's last component consists of the case number and, in its last four digits, the
/// reply number. Credentials increase the reply number. After a reply that contains `swsbounce`, the next request gets the
/// following reply, whatever its target.
struct ReplyChoice {
  let caseNumber: Int
  private var last = 0
  private var bounces = false
  private var negotiations = 0

  init(caseNumber: Int) { self.caseNumber = caseNumber }

  /// Returns the name of the reply part for a request, such as `data`, `data1000` or `connect`.
  mutating func part(for request: CaseRequest, among replies: [String: [UInt8]]) -> String {
    last = bounces ? last + 1 : Self.part(in: request.target, of: caseNumber) + authorizationOffset(request)
    let name = (request.method == "CONNECT" ? "connect" : "data") + (last == 0 ? "" : "\(last)")
    bounces = replies[name]?.firstRange(of: Array("swsbounce".utf8)) != nil
    return name
  }

  static func part(in target: Substring, of caseNumber: Int) -> Int {
    guard let slash = target.lastIndex(of: "/") else { return 0 }
    let digits = target[slash...].drop { !($0.isASCII && $0.isNumber) }.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits), number > 10_000, number / 10_000 == caseNumber else { return 0 }
    return number % 10_000
  }

  private mutating func authorizationOffset(_ request: CaseRequest) -> Int {
    if request.authorizes(by: "Digest") { return 1000 }
    if request.authorizes(by: "NTLM TlRMTVNTUAAD") { return 1002 }
    if request.authorizes(by: "NTLM") { return 1001 }
    if request.authorizes(by: "Negotiate") {
      negotiations += 1
      return negotiations
    }
    return request.authorizes(by: "Basic") && Self.part(in: request.target, of: caseNumber) >= 1000 ? 1 : 0
  }
}
