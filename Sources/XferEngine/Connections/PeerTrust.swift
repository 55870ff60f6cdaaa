internal import Crypto

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension TransferSession {
  /// What a server has shown of itself, and whether that is valid: what Apple's `SecTrust` is in URLSession's challenges.
  public struct PeerTrust: Sendable, Hashable {
    /// In DER (X.509), the server's own first.
    public let certificates: [Data]
    /// `sha256//…`: the digest of the server's public key, as `ServerTrust.pinnedPublicKeys` has it.
    public let publicKeyPin: String
    /// Why it is not valid, in libcurl's words; `nil` when it is.
    public let problem: String?

    /// Whether authorities, name and dates are in order.
    public var isValid: Bool { problem == nil }

    /// `nil` when there is nothing that could be trusted.
    init?(certificates: [Data], problem: String?) {
      guard let first = certificates.first, let key = SubjectPublicKey(certificate: first) else { return nil }
      self.certificates = certificates
      publicKeyPin = "sha256//" + Data(SHA256.hash(data: key.bytes)).base64EncodedString()
      self.problem = problem
    }
  }
}

/// `SubjectPublicKeyInfo` of a certificate (RFC 5280 §4.1), with its header: what a pin is the digest of (RFC 7469 §2.4).
struct SubjectPublicKey {
  let bytes: Data

  /// `nil` for what is no certificate.
  init?(certificate: Data) {
    guard let whole = DERElement(certificate), whole.tag == DERElement.sequence, let body = DERElement(whole.content),
      body.tag == DERElement.sequence
    else { return nil }
    var parts = body.children
    // A version, which older certificates lack; then serial number, algorithm, issuer, validity, subject and key.
    if parts.first?.tag == 0xA0 { parts.removeFirst() }
    guard parts.count > 5, parts[5].tag == DERElement.sequence else { return nil }
    bytes = parts[5].bytes
  }
}

/// One element of X.690's distinguished encoding rules.
private struct DERElement {
  static let sequence: UInt8 = 0x30

  let tag: UInt8
  /// With its header.
  let bytes: Data
  let content: Data

  /// The first element of these; `nil` when they do not begin with a whole one.
  init?(_ data: Data) {
    var place = data.startIndex
    func next() -> Int? {
      guard place < data.endIndex else { return nil }
      defer { place += 1 }
      return Int(data[place])
    }
    guard let tag = next(), var length = next() else { return nil }
    if length >= 0x80 {
      let count = length - 0x80
      guard 1...4 ~= count else { return nil }
      length = 0
      for _ in 0..<count {
        guard let byte = next() else { return nil }
        length = length << 8 | byte
      }
    }
    guard data.endIndex - place >= length else { return nil }
    self.tag = UInt8(tag)
    content = data[place..<place + length]
    bytes = data[data.startIndex..<place + length]
  }

  var children: [DERElement] {
    var (children, rest) = ([DERElement](), content)
    while let child = DERElement(rest) {
      children.append(child)
      rest = rest[child.bytes.endIndex...]
    }
    return children
  }
}
