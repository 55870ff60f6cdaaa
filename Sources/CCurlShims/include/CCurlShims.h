// Typed setters and getters: Swift cannot call libcurl's variadic functions.
// The parentheses bypass the type-checking macros of curl.h, which need a compile-time option.
#pragma once

// Seen from Swift, libcurl's names must belong to one module: read twice, some of its constants are found in neither.
#include "../../CCurl/shim.h"
#include <stddef.h>

typedef size_t (*cc_data_callback)(char *bytes, size_t size, size_t count, void *owner);
typedef int (*cc_seek_callback)(void *owner, curl_off_t offset, int origin);
typedef int (*cc_prerequest_callback)(void *owner, char *remote, char *local, int remotePort, int localPort);

static inline CURLcode cc_set_long(CURL *easy, CURLoption option, long value) { return (curl_easy_setopt)(easy, option, value); }
static inline CURLcode cc_set_offset(CURL *easy, CURLoption option, curl_off_t value) { return (curl_easy_setopt)(easy, option, value); }
static inline CURLcode cc_set_string(CURL *easy, CURLoption option, const char *value) { return (curl_easy_setopt)(easy, option, value); }
static inline CURLcode cc_set_pointer(CURL *easy, CURLoption option, void *value) { return (curl_easy_setopt)(easy, option, value); }
static inline CURLcode cc_set_data_callback(CURL *easy, CURLoption option, cc_data_callback value) { return (curl_easy_setopt)(easy, option, value); }
static inline CURLcode cc_set_seek_callback(CURL *easy, cc_seek_callback value) { return (curl_easy_setopt)(easy, CURLOPT_SEEKFUNCTION, value); }
static inline CURLcode cc_set_prerequest_callback(CURL *easy, cc_prerequest_callback value) {
  return (curl_easy_setopt)(easy, CURLOPT_PREREQFUNCTION, value);
}
static inline CURLMcode cc_multi_set_long(CURLM *multi, CURLMoption option, long value) { return (curl_multi_setopt)(multi, option, value); }

static inline CURLcode cc_get_long(CURL *easy, CURLINFO info, long *value) { return (curl_easy_getinfo)(easy, info, value); }
static inline CURLcode cc_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) { return (curl_easy_getinfo)(easy, info, value); }
static inline CURLcode cc_get_string(CURL *easy, CURLINFO info, const char **value) { return (curl_easy_getinfo)(easy, info, value); }

static inline CURLcode cc_get_list(CURL *easy, CURLINFO info, struct curl_slist **value) { return (curl_easy_getinfo)(easy, info, value); }

// A certificate that the server has shown, in PEM; NULL where there are no more, or none were kept (CURLOPT_CERTINFO).
const char *cc_shown_certificate(CURL *easy, int place);

// CURLAUTH_ANY is an unsigned long without a sign of its type, which Swift does not import.
static inline CURLcode cc_set_any_proxy_authentication(CURL *easy) { return (curl_easy_setopt)(easy, CURLOPT_PROXYAUTH, CURLAUTH_ANY); }

// Programs that the process starts get no socket of this handle.
void cc_set_private_sockets(CURL *easy);

// Whether the other end closes a TLS connection properly, with close_notify, decides whether a body without a length is whole: libcurl takes
// any end of the connection for the end of the body. Observed with OpenSSL; other libraries report the truncation to libcurl.
void cc_tls_observe(CURL *easy);
// The TLS connection of a transfer whose head has come, observed from now on; NULL without TLS, or where it cannot be observed. The pointer is
// only a name: it must be given back to `cc_tls_end` on the same thread.
const void *cc_tls_begin(CURL *easy);
// Whether the TLS handshake of a transfer agreed on HTTP/2 (ALPN): 1 or 0; -1 without TLS, or if libcurl does not use OpenSSL.
int cc_tls_agreed_on_http2(CURL *easy);
// Ends the observation. Whether close_notify came.
int cc_tls_end(const void *connection);

// Cookies that handles of several threads share, with the locks that this takes.
typedef struct cc_share cc_share;
cc_share *cc_share_create(void);
CURLSH *cc_share_handle(cc_share *share);
void cc_share_destroy(cc_share *share);

// 0xXXYYZZ of the library that runs.
static inline unsigned int cc_version(void) { return curl_version_info(CURLVERSION_NOW)->version_num; }

// CURLMsg holds a union, which Swift cannot read by name.
static inline CURLcode cc_message_result(const CURLMsg *message) { return message->data.result; }

// CURLE_TOO_LARGE came with 8.6; its number is used for what this engine refuses itself.
enum { CC_TOO_LARGE = 100 };
