// Typed setters and getters, because Swift cannot call libcurl's variadic functions.
// The parentheses around function names bypass the type-checking macros of curl.h, which require constant options.
#pragma once

// libcurl's header must belong to one Swift module only: if two modules include it, Swift does not find some of its constants.
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

// Returns the server's certificate at a position of its chain, in PEM, or NULL if the chain is shorter or CURLOPT_CERTINFO is
// not set.
const char *cc_shown_certificate(CURL *easy, int place);

// Swift does not import the macro CURLAUTH_ANY, because it contains a cast.
static inline CURLcode cc_set_any_proxy_authentication(CURL *easy) { return (curl_easy_setopt)(easy, CURLOPT_PROXYAUTH, CURLAUTH_ANY); }

// Makes the handle's sockets close-on-exec, so that child processes do not inherit them.
void cc_set_private_sockets(CURL *easy);

// Prepares a handle for observing whether the server closes a TLS connection with close_notify.
//
// A body without a declared length is complete only if close_notify was received. With OpenSSL, libcurl treats any end of the
// connection as the end of the body. Other TLS libraries report the truncation to libcurl, so nothing is observed with them.
void cc_tls_observe(CURL *easy);
// Starts observing the TLS connection of a transfer whose response head has arrived. Returns NULL without TLS or if it cannot
// be observed. The returned pointer is only an identifier, and must be passed to cc_tls_end on the same thread.
const void *cc_tls_begin(CURL *easy);
// Returns whether the TLS handshake of a transfer agreed on HTTP/2 (ALPN): 1 or 0, or -1 without TLS or if libcurl does not use OpenSSL.
int cc_tls_agreed_on_http2(CURL *easy);
// Stops observing the connection. Returns whether close_notify was received.
int cc_tls_end(const void *connection);

// A libcurl share with which handles of several threads share cookies, including the locks that libcurl needs for it.
typedef struct cc_share cc_share;
cc_share *cc_share_create(void);
CURLSH *cc_share_handle(cc_share *share);
void cc_share_destroy(cc_share *share);

// Returns the version of the loaded libcurl, as 0xXXYYZZ.
static inline unsigned int cc_version(void) { return curl_version_info(CURLVERSION_NOW)->version_num; }

// Returns the result in a message. CURLMsg contains a union, which Swift cannot read.
static inline CURLcode cc_message_result(const CURLMsg *message) { return message->data.result; }

// CURLE_TOO_LARGE exists since libcurl 8.6. The engine uses its number for sizes that the engine itself rejects.
enum { CC_TOO_LARGE = 100 };
