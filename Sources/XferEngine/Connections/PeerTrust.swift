internal import XferCrypto

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension TransferSession {
  /// A server's certificates and the result of verifying them. Corresponds to `SecTrust` in URLSession's challenges.
  public struct PeerTrust: Sendable, Hashable {
    /// The X.509 certificates in DER, the server's own first.
    public let certificates: [Data]
    /// The digest of the server's public key, in the format of `ServerTrust.pinnedPublicKeys` (`sha256//…`).
    public let publicKeyPin: String
    /// libcurl's message about why the certificate is invalid. `nil` for a valid certificate.
    public let problem: String?

    /// Whether the certificate chain, the host name and the validity dates were verified.
    public var isValid: Bool { problem == nil }

    /// Creates a value from the server's certificates. `nil` if the server's own certificate cannot be read.
    init?(certificates: [Data], problem: String?) {
      guard let first = certificates.first, let key = SubjectPublicKey(certificate: first) else { return nil }
      self.certificates = certificates
      publicKeyPin = "sha256//" + Data(SHA256.hash(data: key.bytes)).base64EncodedString()
      self.problem = problem
    }
  }
}

/// The encoded `SubjectPublicKeyInfo` of a certificate (RFC 5280 §4.1). A public key pin is its digest (RFC 7469 §2.4).
struct SubjectPublicKey {
  let bytes: Data

  /// Extracts the public key. `nil` when the data is not a certificate.
  init?(certificate: Data) {
    guard let whole = DERElement(certificate), whole.tag == DERElement.sequence, let body = DERElement(whole.content),
      body.tag == DERElement.sequence
    else { return nil }
    var parts = body.children
    // The order is: version (missing in v1 certificates), serial number, algorithm, issuer, validity, subject, key.
    if parts.first?.tag == 0xA0 { parts.removeFirst() }
    guard parts.count > 5, parts[5].tag == DERElement.sequence else { return nil }
    bytes = parts[5].bytes
  }
}

/// One DER element (X.690).
private struct DERElement {
  static let sequence: UInt8 = 0x30

  let tag: UInt8
  /// The whole element, including its header.
  let bytes: Data
  let content: Data

  /// Parses the first element of the data. `nil` when it is malformed or truncated.
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
