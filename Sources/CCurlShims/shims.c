#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CCurlShims.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static curl_socket_t open_socket(void *owner, curlsocktype purpose, struct curl_sockaddr *address) {
  (void)owner, (void)purpose;
#ifdef SOCK_CLOEXEC
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
  int descriptor = socket(address->family, address->socktype, address->protocol);
  if (descriptor >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return descriptor;
#endif
}

void cc_set_private_sockets(CURL *easy) { (curl_easy_setopt)(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket); }

// The OpenSSL declarations that are needed here, unchanged since OpenSSL 0.9. OpenSSL is a dependency of libcurl and not of
// this package, so its functions are looked up at run time.
typedef void (*tls_information)(const void *connection, int where, int value);
typedef void (*set_tls_information)(void *context, tls_information callback);
enum { alert_received = 0x4004, close_notify = 0 };

struct observation {
  const void *connection;
  int is_closed;
  struct observation *next;
};

// The observed connections of this thread. A session uses all its connections on one thread.
static _Thread_local struct observation *observations;

static void note(const void *connection, int where, int value) {
  if (where != alert_received || (value & 0xff) != close_notify) return;
  for (struct observation *each = observations; each; each = each->next)
    if (each->connection == connection) each->is_closed = 1;
}

static CURLcode observe(CURL *easy, void *context, void *owner) {
  (void)easy, (void)owner;
  set_tls_information set = (set_tls_information)dlsym(RTLD_DEFAULT, "SSL_CTX_set_info_callback");
  if (set) set(context, note);
  return CURLE_OK;
}

static int is_observable(void) {
  // With other TLS libraries, libcurl passes a context of another type.
  const char *library = curl_version_info(CURLVERSION_NOW)->ssl_version;
  return library && strncmp(library, "OpenSSL/", 8) == 0 && dlsym(RTLD_DEFAULT, "SSL_CTX_set_info_callback") != NULL;
}

void cc_tls_observe(CURL *easy) {
  if (is_observable()) (curl_easy_setopt)(easy, CURLOPT_SSL_CTX_FUNCTION, observe);
}

const void *cc_tls_begin(CURL *easy) {
  struct curl_tlssessioninfo *session = NULL;
  if (!is_observable() || (curl_easy_getinfo)(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK) return NULL;
  if (!session || session->backend != CURLSSLBACKEND_OPENSSL || !session->internals) return NULL;
  struct observation *new = malloc(sizeof *new);
  if (!new) return NULL;
  *new = (struct observation){session->internals, 0, observations};
  observations = new;
  return session->internals;
}

int cc_tls_agreed_on_http2(CURL *easy) {
  typedef void (*get_agreed)(const void *connection, const unsigned char **name, unsigned int *length);
  struct curl_tlssessioninfo *session = NULL;
  if (!is_observable() || (curl_easy_getinfo)(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK) return -1;
  if (!session || session->backend != CURLSSLBACKEND_OPENSSL || !session->internals) return -1;
  get_agreed get = (get_agreed)dlsym(RTLD_DEFAULT, "SSL_get0_alpn_selected");
  if (!get) return -1;
  const unsigned char *name = NULL;
  unsigned int length = 0;
  get(session->internals, &name, &length);
  return length == 2 && memcmp(name, "h2", 2) == 0;
}

int cc_tls_end(const void *connection) {
  for (struct observation **place = &observations; *place; place = &(*place)->next) {
    struct observation *found = *place;
    if (found->connection != connection) continue;
    int is_closed = found->is_closed;
    *place = found->next;
    free(found);
    return is_closed;
  }
  return 0;
}

struct cc_share {
  CURLSH *handle;
  pthread_mutex_t locks[CURL_LOCK_DATA_LAST];
};

static void lock(CURL *easy, curl_lock_data data, curl_lock_access access, void *share) {
  (void)easy, (void)access;
  pthread_mutex_lock(&((cc_share *)share)->locks[data]);
}

static void unlock(CURL *easy, curl_lock_data data, void *share) {
  (void)easy;
  pthread_mutex_unlock(&((cc_share *)share)->locks[data]);
}

cc_share *cc_share_create(void) {
  cc_share *share = malloc(sizeof *share);
  if (!share) return NULL;
  share->handle = curl_share_init();
  if (!share->handle) {
    free(share);
    return NULL;
  }
  for (int data = 0; data < CURL_LOCK_DATA_LAST; data++) pthread_mutex_init(&share->locks[data], NULL);
  (curl_share_setopt)(share->handle, CURLSHOPT_LOCKFUNC, lock);
  (curl_share_setopt)(share->handle, CURLSHOPT_UNLOCKFUNC, unlock);
  (curl_share_setopt)(share->handle, CURLSHOPT_USERDATA, share);
  (curl_share_setopt)(share->handle, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE);
  return share;
}

CURLSH *cc_share_handle(cc_share *share) { return share->handle; }

void cc_share_destroy(cc_share *share) {
  // Cleanup fails while a handle uses the share. Leaking the share is better than destroying locks that are in use.
  if (curl_share_cleanup(share->handle) != CURLSHE_OK) return;
  for (int data = 0; data < CURL_LOCK_DATA_LAST; data++) pthread_mutex_destroy(&share->locks[data]);
  free(share);
}

const char *cc_shown_certificate(CURL *easy, int place) {
  static const char name[] = "Cert:";
  struct curl_certinfo *shown = NULL;
  if ((curl_easy_getinfo)(easy, CURLINFO_CERTINFO, &shown) != CURLE_OK || !shown) return NULL;
  if (place < 0 || place >= shown->num_of_certs) return NULL;
  for (const struct curl_slist *line = shown->certinfo[place]; line; line = line->next)
    if (strncmp(line->data, name, sizeof name - 1) == 0) return line->data + sizeof name - 1;
  return NULL;
}
