internal import CCurl
internal import CCurlShims

/// One libcurl easy handle: what a transaction runs on. Engine thread only.
final class EasyHandle {
  let pointer: UnsafeMutableRawPointer
  private let message = UnsafeMutableBufferPointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private var fields: UnsafeMutablePointer<curl_slist>?
  private var knownAddresses: UnsafeMutablePointer<curl_slist>?

  /// `nil` when there is no memory.
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

  /// Takes the handle back to its beginnings; it keeps its memory.
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
  /// libcurl copies the string.
  func set(_ option: CURLoption, _ value: String) { cc_set_string(pointer, option, value) }
  func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer) { cc_set_pointer(pointer, option, value) }
  func set(_ option: CURLoption, _ callback: @escaping cc_data_callback) { cc_set_data_callback(pointer, option, callback) }

  func setFields(_ lines: [String]) {
    for line in lines { fields = curl_slist_append(fields, line) }
    cc_set_pointer(pointer, CURLOPT_HTTPHEADER, fields)
  }

  /// - Parameter entries: `host:port:address[,address]`.
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

  /// What libcurl said of the error, in words; may be empty.
  var errorMessage: String { message[0] == 0 ? "" : String(cString: message.baseAddress!) }

  var osError: Int { number(CURLINFO_OS_ERRNO) }
}
