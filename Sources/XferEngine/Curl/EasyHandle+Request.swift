internal import CCurl
internal import CCurlShims
internal import HTTPTypes
internal import XferEvents

extension EasyHandle {
  /// The size of libcurl's receive and upload buffers, in bytes.
  private static let bufferSize = 256 * 1024

  /// Configures the handle for one transaction.
  ///
  /// - Parameters:
  ///   - body: the request body; `nil` for none.
  ///   - decodes: whether content codings are offered and decoded.
  ///   - configuration: the session's configuration.
  ///   - tls: the TLS settings.
  ///   - cookies: the cookies to send and whether to store received ones.
  ///   - connectLimit: the connect timeout in nanoseconds, which libcurl divides among a name's addresses; `nil` for none.
  ///   - owner: the transfer that receives libcurl's callbacks; it must outlive the transaction.
  func prepare(
    _ plan: RequestPlan, body: BodySource?, decodes: Bool, _ configuration: TransferSession.Configuration, _ tls: TLSUse,
    cookies: CookieUse, connectLimit: Int64?, owner: Unmanaged<Transfer>
  ) {
    reset()
    prepareURL(plan, connectLimit: connectLimit)
    prepareConnection(configuration, tls, scheme: plan.url.scheme)
    prepareCookies(cookies)
    prepareMethod(plan, body, configuration.messages)
    if body != nil { prepareBody(owner.toOpaque()) }
    if decodes, !plan.fields.contains(.acceptEncoding) {
      // If transfer codings are accepted, libcurl also decodes the content codings. The empty string offers all codings that
      // libcurl supports.
      set(CURLOPT_ACCEPT_ENCODING, configuration.messages.acceptsTransferCodings ? "" : ContentDecoder.offered)
    }
    prepareReading(configuration.messages)
    prepareCallbacks(owner.toOpaque())
  }

  private func prepareURL(_ plan: RequestPlan, connectLimit: Int64?) {
    set(CURLOPT_URL, plan.url.text)
    // Without this option, libcurl would normalise dot segments, and the sent path would differ from the logged one.
    set(CURLOPT_PATH_AS_IS, 1)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_NETRC, 0)
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_TCP_NODELAY, 1)
    // Without this option, cancelling a transfer waits for the resolver thread.
    set(CURLOPT_QUICK_EXIT, 1)
    set(CURLOPT_BUFFERSIZE, Self.bufferSize)
    if let connectLimit { set(CURLOPT_CONNECTTIMEOUT_MS, Int(max(1, connectLimit.addingClamped(999_999) / 1_000_000))) }
  }

  private func prepareReading(_ options: TransferSession.MessageOptions) {
    if options.acceptsTransferCodings { set(CURLOPT_TRANSFER_ENCODING, 1) }
    if options.keepsCodings { set(CURLOPT_HTTP_TRANSFER_DECODING, 0) }
    // Unless libcurl decodes transfer codings, the engine decodes content codings itself.
    if !options.acceptsTransferCodings { set(CURLOPT_HTTP_CONTENT_DECODING, 0) }
    if options.ignoresContentLength { set(CURLOPT_IGNORE_CONTENT_LENGTH, 1) }
    if let limit = options.timeoutIntervalForContinue { set(CURLOPT_EXPECT_100_TIMEOUT_MS, Int(limit.nanoseconds / 1_000_000)) }
  }

  private func prepareMethod(_ plan: RequestPlan, _ body: BodySource?, _ options: TransferSession.MessageOptions) {
    var lines: [String] = []
    switch plan.method {
    case .get where body == nil: set(CURLOPT_HTTPGET, 1)
    case .head: set(CURLOPT_NOBODY, 1)
    default:
      if let body {
        set(CURLOPT_UPLOAD, 1)
        set(CURLOPT_INFILESIZE_LARGE, body.length ?? -1)
        set(CURLOPT_UPLOAD_BUFFERSIZE, Self.bufferSize)
      } else if [.post, .put, .patch].contains(plan.method) {
        // A request whose method usually has a body must declare an empty body (RFC 9110 §8.6).
        lines.append("Content-Length: 0")
      }
      set(CURLOPT_CUSTOMREQUEST, plan.method.rawValue)
    }
    for field in plan.fields {
      // libcurl sends a field with an empty value if its line ends with a semicolon.
      lines.append(field.value.isEmpty ? "\(field.name.rawName);" : "\(field.name.rawName): \(field.value)")
    }
    for name in options.omittedFields where !plan.fields.contains(name) { lines.append("\(name.rawName):") }
    if !plan.fields.contains(.userAgent), !options.omittedFields.contains(.userAgent) { set(CURLOPT_USERAGENT, "xferlog") }
    setFields(lines)
  }

  private func prepareBody(_ owner: UnsafeMutableRawPointer) {
    set(CURLOPT_READDATA, owner)
    set(CURLOPT_SEEKDATA, owner)
    set(CURLOPT_READFUNCTION) { bytes, size, count, owner in
      Transfer.owner(owner).sendBody(.init(start: bytes, count: size * count))
    }
    cc_set_seek_callback(pointer) { owner, offset, origin in
      Transfer.owner(owner).seekBody(to: Int64(offset), origin: origin)
    }
  }

  private func prepareCallbacks(_ owner: UnsafeMutableRawPointer) {
    set(CURLOPT_WRITEDATA, owner)
    set(CURLOPT_HEADERDATA, owner)
    set(CURLOPT_PREREQDATA, owner)
    set(CURLOPT_PRIVATE, owner)
    set(CURLOPT_WRITEFUNCTION) { bytes, size, count, owner in
      Transfer.owner(owner).receiveBody(.init(start: bytes, count: size * count))
    }
    set(CURLOPT_HEADERFUNCTION) { bytes, size, count, owner in
      Transfer.owner(owner).receiveHeader(.init(start: bytes, count: size * count))
    }
    cc_set_prerequest_callback(pointer) { owner, remote, local, remotePort, localPort in
      Transfer.owner(owner).connectionAcquired(
        remote: remote.map { String(cString: $0) } ?? "", remotePort: Int(remotePort),
        local: local.map { String(cString: $0) } ?? "", localPort: Int(localPort))
      return Transfer.owner(owner).mayProceed() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }
  }
}
