internal import CCurl
internal import CCurlShims

// Connection options: addresses, proxy and TLS.
extension EasyHandle {
  func prepareConnection(_ configuration: TransferSession.Configuration, _ tls: TLSUse, scheme: String) {
    // Without this call, a child process of the app would inherit the sockets and keep connections open that the engine has
    // closed.
    cc_set_private_sockets(pointer)
    prepareAddresses(configuration)
    prepareProxy(configuration.connectionProxy)
    prepareTLS(configuration, tls)
    set(CURLOPT_HTTP_VERSION, Int(configuration.httpVersions.curlValue(scheme: scheme, tls)))
    // A transfer waits for a pending connection that may be multiplexed instead of opening another one. Only TLS negotiates
    // HTTP/2; without TLS, all transfers would wait for the first response.
    if configuration.httpVersions == .automatic, scheme == "https", tls.offersHTTP2, !tls.isProbe { set(CURLOPT_PIPEWAIT, 1) }
    if let rate = configuration.maximumBytesPerSecondReceived { set(CURLOPT_MAX_RECV_SPEED_LARGE, max(1, rate)) }
    if let rate = configuration.maximumBytesPerSecondSent { set(CURLOPT_MAX_SEND_SPEED_LARGE, max(1, rate)) }
  }

  private func prepareAddresses(_ configuration: TransferSession.Configuration) {
    switch configuration.addressFamily {
    case .any: break
    case .ipv4: set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V4))
    case .ipv6: set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V6))
    }
    setKnownAddresses(configuration.hostAddresses.map { "\($0.host):\($0.port):\($0.addresses.joined(separator: ","))" })
  }

  private func prepareProxy(_ proxy: TransferSession.Proxy?) {
    guard let proxy else {
      // An empty string makes libcurl ignore proxy settings in the environment.
      return set(CURLOPT_PROXY, "")
    }
    set(CURLOPT_PROXY, proxy.urlText)
    set(CURLOPT_NOPROXY, proxy.exceptions.joined(separator: ","))
    if proxy.tunnelsEverything { set(CURLOPT_HTTPPROXYTUNNEL, 1) }
    // The proxy's CONNECT response is not part of the task's response.
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    guard let credential = proxy.credential else { return }
    set(CURLOPT_PROXYUSERNAME, credential.user)
    set(CURLOPT_PROXYPASSWORD, credential.password)
    cc_set_any_proxy_authentication(pointer)
  }

  private func prepareTLS(_ configuration: TransferSession.Configuration, _ tls: TLSUse) {
    let lowest = configuration.tlsMinimumSupportedProtocolVersion.lowest
    let highest = configuration.tlsMaximumSupportedProtocolVersion?.highest ?? Int(CURL_SSLVERSION_MAX_DEFAULT)
    set(CURLOPT_SSLVERSION, lowest | highest)
    cc_tls_observe(pointer)
    let trust = configuration.serverTrust
    if let file = trust.authoritiesFile {
      set(CURLOPT_CAINFO, file)
      // Unless the directory of authorities is cleared, the system's authorities would be trusted too.
      cc_set_pointer(pointer, CURLOPT_CAPATH, nil)
    }
    if !trust.pinnedPublicKeys.isEmpty { set(CURLOPT_PINNEDPUBLICKEY, trust.pinnedPublicKeys.joined(separator: ";")) }
    // The public key that the app trusts replaces the configured pins. If pins are configured, the app was asked only about a
    // server that matched one of them.
    if let pin = tls.pin { set(CURLOPT_PINNEDPUBLICKEY, pin) }
    if trust.allowsAnyServer || !tls.verifies {
      set(CURLOPT_SSL_VERIFYPEER, 0)
      set(CURLOPT_SSL_VERIFYHOST, 0)
    }
    if tls.isProbe {
      set(CURLOPT_CERTINFO, 1)
      set(CURLOPT_FRESH_CONNECT, 1)
      set(CURLOPT_FORBID_REUSE, 1)
      // A resumed TLS session does not transmit certificates, so the probe must not resume one.
      set(CURLOPT_SSL_SESSIONID_CACHE, 0)
    }
    guard let certificate = tls.certificate else { return }
    set(CURLOPT_SSLCERT, certificate.certificateFile)
    if let file = certificate.keyFile { set(CURLOPT_SSLKEY, file) }
    if let password = certificate.keyPassword { set(CURLOPT_KEYPASSWD, password) }
  }
}

extension TransferSession.HTTPVersions {
  /// Returns the value of `CURLOPT_HTTP_VERSION`.
  ///
  /// `.automatic` without TLS is HTTP/1.1 instead of `CURL_HTTP_VERSION_2TLS`. With the latter, a server that writes "HTTP/2" in
  /// the status line of a clear-text response would make libcurl send other requests on connections that are in use.
  fileprivate func curlValue(scheme: String, _ tls: TLSUse) -> UInt32 {
    switch self {
    case .automatic: UInt32(scheme == "https" && tls.offersHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)
    case .http10: UInt32(CURL_HTTP_VERSION_1_0)
    case .http1: UInt32(CURL_HTTP_VERSION_1_1)
    case .http2PriorKnowledge: UInt32(CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE)
    }
  }
}

extension TransferSession.TLSProtocolVersion {
  fileprivate var lowest: Int {
    switch self {
    case .tlsV10: Int(CURL_SSLVERSION_TLSv1_0)
    case .tlsV11: Int(CURL_SSLVERSION_TLSv1_1)
    case .tlsV12: Int(CURL_SSLVERSION_TLSv1_2)
    case .tlsV13: Int(CURL_SSLVERSION_TLSv1_3)
    }
  }

  fileprivate var highest: Int {
    switch self {
    case .tlsV10: Int(CURL_SSLVERSION_MAX_TLSv1_0)
    case .tlsV11: Int(CURL_SSLVERSION_MAX_TLSv1_1)
    case .tlsV12: Int(CURL_SSLVERSION_MAX_TLSv1_2)
    case .tlsV13: Int(CURL_SSLVERSION_MAX_TLSv1_3)
    }
  }
}
