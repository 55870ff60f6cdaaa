internal import CCurl

extension TransferSession {
  /// A signature of each request by AWS Signature Version 4, which libcurl computes.
  ///
  /// Requests to another origin than the task's are not signed. The signature covers the request's own header fields, and the body through
  /// the field `x-amz-content-sha256`, which the request must have. It does not cover changes that proxies make to the path: the path
  /// must be percent-encoded as RFC 3986 prescribes, with only unreserved characters in plain text.
  package struct RequestSigning: Sendable {
    package var accessKeyID: String
    package var secretAccessKey: String
    package var region: String
    package var service: String

    package init(accessKeyID: String, secretAccessKey: String, region: String, service: String) {
      (self.accessKeyID, self.secretAccessKey, self.region, self.service) = (accessKeyID, secretAccessKey, region, service)
    }
  }
}

extension EasyHandle {
  func prepareSignature(_ signing: TransferSession.RequestSigning) {
    set(CURLOPT_AWS_SIGV4, "aws:amz:\(signing.region):\(signing.service)")
    // Unlike `CURLOPT_USERPWD`, these options allow colons in the key.
    set(CURLOPT_USERNAME, signing.accessKeyID)
    set(CURLOPT_PASSWORD, signing.secretAccessKey)
  }
}
