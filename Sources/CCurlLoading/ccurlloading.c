#include "ccurlloading.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

// Parentheses around the names below keep curl's type-checking macros away.
struct cl_client {
  CURL *easy;
  struct curl_slist *headers;
  CURLcode (*setopt)(CURL *, CURLoption, ...);
  CURLcode (*perform)(CURL *);
  CURLcode (*getinfo)(CURL *, CURLINFO, ...);
  void (*cleanup)(CURL *);
  struct curl_slist *(*append)(struct curl_slist *, const char *);
  void (*free_list)(struct curl_slist *);
  const char *(*message)(CURLcode);
};

#ifdef __APPLE__
static const char *const names[] = {"/usr/lib/libcurl.4.dylib", "libcurl.4.dylib", NULL};
#else
static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4", NULL};
#endif

struct cl_client *cl_client_create(char *problem, size_t size) {
  void *library = NULL;
  for (const char *const *name = names; *name && !library; name++) library = dlopen(*name, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    snprintf(problem, size, "%s", dlerror());
    return NULL;
  }
  struct cl_client *client = calloc(1, sizeof *client);
  if (!client) return NULL;
  CURLcode (*global_init)(long) = (CURLcode(*)(long))dlsym(library, "curl_global_init");
  CURL *(*easy_init)(void) = (CURL * (*)(void)) dlsym(library, "curl_easy_init");
  client->setopt = (CURLcode(*)(CURL *, CURLoption, ...))dlsym(library, "curl_easy_setopt");
  client->perform = (CURLcode(*)(CURL *))dlsym(library, "curl_easy_perform");
  client->getinfo = (CURLcode(*)(CURL *, CURLINFO, ...))dlsym(library, "curl_easy_getinfo");
  client->cleanup = (void (*)(CURL *))dlsym(library, "curl_easy_cleanup");
  client->append = (struct curl_slist * (*)(struct curl_slist *, const char *)) dlsym(library, "curl_slist_append");
  client->free_list = (void (*)(struct curl_slist *))dlsym(library, "curl_slist_free_all");
  client->message = (const char *(*)(CURLcode))dlsym(library, "curl_easy_strerror");
  if (global_init && easy_init && client->setopt && client->perform && client->getinfo && client->cleanup && client->append &&
      client->free_list && client->message && global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK)
    client->easy = easy_init();
  if (!client->easy) {
    snprintf(problem, size, "the installed libcurl cannot be used");
    free(client);
    return NULL;
  }
  return client;
}

int cl_client_add_header(struct cl_client *client, const char *line) {
  struct curl_slist *list = client->append(client->headers, line);
  if (!list) return 0;
  client->headers = list;
  return 1;
}

static size_t take(char *bytes, size_t size, size_t count, void *user) {
  struct cl_response *response = user;
  size_t room = sizeof response->body - response->body_size;
  size_t kept = size * count < room ? size * count : room;
  memcpy(response->body + response->body_size, bytes, kept);
  response->body_size += kept;
  return size * count;
}

static int progress(void *user, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
  (void)a, (void)b, (void)c, (void)d;
  int (*should_stop)(void) = *(int (**)(void))user;
  return should_stop();
}

void cl_client_post(
  struct cl_client *client, const char *url, const void *body, size_t size, long timeout_milliseconds, int (*should_stop)(void),
  struct cl_response *response) {
  memset(response, 0, sizeof *response);
  CURL *easy = client->easy;
  char message[CURL_ERROR_SIZE] = "";
  client->setopt(easy, CURLOPT_URL, url);
  client->setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
  client->setopt(easy, CURLOPT_POST, 1L);
  client->setopt(easy, CURLOPT_POSTFIELDS, body);
  client->setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)size);
  client->setopt(easy, CURLOPT_HTTPHEADER, client->headers);
  client->setopt(easy, CURLOPT_TIMEOUT_MS, timeout_milliseconds);
  client->setopt(easy, CURLOPT_NOSIGNAL, 1L);
  client->setopt(easy, CURLOPT_ERRORBUFFER, message);
  client->setopt(easy, CURLOPT_WRITEFUNCTION, take);
  client->setopt(easy, CURLOPT_WRITEDATA, response);
  client->setopt(easy, CURLOPT_NOPROGRESS, 0L);
  client->setopt(easy, CURLOPT_XFERINFOFUNCTION, progress);
  client->setopt(easy, CURLOPT_XFERINFODATA, &should_stop);
  CURLcode code = client->perform(easy);
  client->setopt(easy, CURLOPT_ERRORBUFFER, (char *)NULL);
  if (code != CURLE_OK) {
    // A response that was cut off is no answer.
    snprintf(response->problem, sizeof response->problem, "%s", message[0] ? message : client->message(code));
    return;
  }
  client->getinfo(easy, CURLINFO_RESPONSE_CODE, &response->status);
  curl_off_t retry_after = 0;
  if (client->getinfo(easy, CURLINFO_RETRY_AFTER, &retry_after) == CURLE_OK) response->retry_after = retry_after;
}

void cl_client_destroy(struct cl_client *client) {
  client->cleanup(client->easy);
  client->free_list(client->headers);
  free(client);
}
