internal import CCurl
internal import CCurlShims

/// A libcurl easy handle, which runs one transaction at a time. Used on the engine thread only.
final class EasyHandle {
  let pointer: UnsafeMutableRawPointer
  private let message = UnsafeMutableBufferPointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private var fields: UnsafeMutablePointer<curl_slist>?
  private var knownAddresses: UnsafeMutablePointer<curl_slist>?

  /// Allocates a handle. `nil` when libcurl cannot allocate memory.
  init?() {
    guard let pointer = curl_easy_init() else { return nil }
    self.pointer = pointer
  }

  deinit {
    curl_easy_cleanup(pointer)
    curl_slist_free_all(fields)
    curl_slist_free_all(knownAddresses)
    message.deallocate()
  }

  /// Resets all options, so that the handle can run another transaction.
  func reset() {
    curl_easy_reset(pointer)
    curl_slist_free_all(fields)
    fields = nil
    curl_slist_free_all(knownAddresses)
    knownAddresses = nil
    message[0] = 0
    cc_set_pointer(pointer, CURLOPT_ERRORBUFFER, message.baseAddress)
  }

  func set(_ option: CURLoption, _ value: Int) { cc_set_long(pointer, option, value) }
  func set(_ option: CURLoption, _ value: Int64) { cc_set_offset(pointer, option, curl_off_t(value)) }
  /// Sets a string option. libcurl copies the string.
  func set(_ option: CURLoption, _ value: String) { cc_set_string(pointer, option, value) }
  func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer) { cc_set_pointer(pointer, option, value) }
  func set(_ option: CURLoption, _ callback: @escaping cc_data_callback) { cc_set_data_callback(pointer, option, callback) }

  func setFields(_ lines: [String]) {
    for line in lines { fields = curl_slist_append(fields, line) }
    cc_set_pointer(pointer, CURLOPT_HTTPHEADER, fields)
  }

  /// Sets fixed addresses for hosts.
  ///
  /// - Parameter entries: texts of the form `host:port:address[,address]`.
  func setKnownAddresses(_ entries: [String]) {
    guard !entries.isEmpty else { return }
    for entry in entries { knownAddresses = curl_slist_append(knownAddresses, entry) }
    cc_set_pointer(pointer, CURLOPT_RESOLVE, knownAddresses)
  }

  func number(_ info: CURLINFO) -> Int {
    var value = 0
    return cc_get_long(pointer, info, &value) == CURLE_OK ? value : 0
  }

  func count(_ info: CURLINFO) -> Int64 {
    var value: curl_off_t = 0
    return cc_get_offset(pointer, info, &value) == CURLE_OK ? Int64(value) : 0
  }

  func microseconds(_ info: CURLINFO) -> Duration { .microseconds(count(info)) }

  /// libcurl's message for the last error. May be empty.
  var errorMessage: String { message[0] == 0 ? "" : String(cString: message.baseAddress!) }

  var osError: Int { number(CURLINFO_OS_ERRNO) }
}
