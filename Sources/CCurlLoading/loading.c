#include "CCurlLoading.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What is used of libcurl's stable ABI. Its headers are not needed, because they are missing where only the library is installed.
typedef void Easy;
typedef int Code;
struct list;

enum {
  OPT_URL = 10002,
  OPT_PROTOCOLS = 181,
  OPT_POST = 47,
  OPT_POSTFIELDS = 10015,
  OPT_POSTFIELDSIZE_LARGE = 30120,
  OPT_HTTPHEADER = 10023,
  OPT_TIMEOUT_MS = 155,
  OPT_NOSIGNAL = 99,
  OPT_ERRORBUFFER = 10010,
  OPT_WRITEFUNCTION = 20011,
  OPT_WRITEDATA = 10001,
  OPT_NOPROGRESS = 43,
  OPT_XFERINFOFUNCTION = 20219,
  OPT_XFERINFODATA = 10057,
  INFO_RESPONSE_CODE = 0x200002,
  INFO_RETRY_AFTER = 0x600039,
  HTTP_AND_HTTPS = 3,
  GLOBAL_DEFAULT = 3,
  ERROR_SIZE = 256,
};

#if __has_include(<curl/curl.h>)
#include <curl/curl.h>
#define SAME(own, theirs) _Static_assert((long)(own) == (long)(theirs), "differs from libcurl's header")
SAME(OPT_URL, CURLOPT_URL);
SAME(OPT_POST, CURLOPT_POST);
SAME(OPT_POSTFIELDS, CURLOPT_POSTFIELDS);
SAME(OPT_POSTFIELDSIZE_LARGE, CURLOPT_POSTFIELDSIZE_LARGE);
SAME(OPT_HTTPHEADER, CURLOPT_HTTPHEADER);
SAME(OPT_TIMEOUT_MS, CURLOPT_TIMEOUT_MS);
SAME(OPT_NOSIGNAL, CURLOPT_NOSIGNAL);
SAME(OPT_ERRORBUFFER, CURLOPT_ERRORBUFFER);
SAME(OPT_WRITEFUNCTION, CURLOPT_WRITEFUNCTION);
SAME(OPT_WRITEDATA, CURLOPT_WRITEDATA);
SAME(OPT_NOPROGRESS, CURLOPT_NOPROGRESS);
SAME(OPT_XFERINFOFUNCTION, CURLOPT_XFERINFOFUNCTION);
SAME(OPT_XFERINFODATA, CURLOPT_XFERINFODATA);
SAME(INFO_RESPONSE_CODE, CURLINFO_RESPONSE_CODE);
SAME(INFO_RETRY_AFTER, CURLINFO_RETRY_AFTER);
SAME(HTTP_AND_HTTPS, CURLPROTO_HTTP | CURLPROTO_HTTPS);
SAME(GLOBAL_DEFAULT, CURL_GLOBAL_DEFAULT);
SAME(ERROR_SIZE, CURL_ERROR_SIZE);
SAME(0, CURLE_OK);
SAME(sizeof(Code), sizeof(CURLcode));
SAME(sizeof(long long), sizeof(curl_off_t));
#endif

struct cl_client {
  Easy *easy;
  struct list *headers;
  Code (*setopt)(Easy *, int, ...);
  Code (*perform)(Easy *);
  Code (*getinfo)(Easy *, int, ...);
  void (*cleanup)(Easy *);
  struct list *(*append)(struct list *, const char *);
  void (*free_list)(struct list *);
  const char *(*message)(Code);
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
  Code (*global_init)(long) = (Code(*)(long))dlsym(library, "curl_global_init");
  Easy *(*easy_init)(void) = (Easy * (*)(void)) dlsym(library, "curl_easy_init");
  client->setopt = (Code(*)(Easy *, int, ...))dlsym(library, "curl_easy_setopt");
  client->perform = (Code(*)(Easy *))dlsym(library, "curl_easy_perform");
  client->getinfo = (Code(*)(Easy *, int, ...))dlsym(library, "curl_easy_getinfo");
  client->cleanup = (void (*)(Easy *))dlsym(library, "curl_easy_cleanup");
  client->append = (struct list * (*)(struct list *, const char *)) dlsym(library, "curl_slist_append");
  client->free_list = (void (*)(struct list *))dlsym(library, "curl_slist_free_all");
  client->message = (const char *(*)(Code))dlsym(library, "curl_easy_strerror");
  if (global_init && easy_init && client->setopt && client->perform && client->getinfo && client->cleanup && client->append &&
      client->free_list && client->message && global_init(GLOBAL_DEFAULT) == 0)
    client->easy = easy_init();
  if (!client->easy) {
    snprintf(problem, size, "the installed libcurl cannot be used");
    free(client);
    return NULL;
  }
  return client;
}

int cl_client_add_header(struct cl_client *client, const char *line) {
  struct list *list = client->append(client->headers, line);
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

static int progress(void *user, long long a, long long b, long long c, long long d) {
  (void)a, (void)b, (void)c, (void)d;
  int (*should_stop)(void) = *(int (**)(void))user;
  return should_stop();
}

void cl_client_post(
  struct cl_client *client, const char *url, const void *body, size_t size, long timeout_milliseconds, int (*should_stop)(void),
  struct cl_response *response) {
  memset(response, 0, sizeof *response);
  Easy *easy = client->easy;
  char message[ERROR_SIZE] = "";
  client->setopt(easy, OPT_URL, url);
  client->setopt(easy, OPT_PROTOCOLS, (long)HTTP_AND_HTTPS);
  client->setopt(easy, OPT_POST, 1L);
  client->setopt(easy, OPT_POSTFIELDS, body);
  client->setopt(easy, OPT_POSTFIELDSIZE_LARGE, (long long)size);
  client->setopt(easy, OPT_HTTPHEADER, client->headers);
  client->setopt(easy, OPT_TIMEOUT_MS, timeout_milliseconds);
  client->setopt(easy, OPT_NOSIGNAL, 1L);
  client->setopt(easy, OPT_ERRORBUFFER, message);
  client->setopt(easy, OPT_WRITEFUNCTION, take);
  client->setopt(easy, OPT_WRITEDATA, response);
  client->setopt(easy, OPT_NOPROGRESS, 0L);
  client->setopt(easy, OPT_XFERINFOFUNCTION, progress);
  client->setopt(easy, OPT_XFERINFODATA, &should_stop);
  Code code = client->perform(easy);
  client->setopt(easy, OPT_ERRORBUFFER, (char *)NULL);
  if (code != 0) {
    // An incomplete response counts as no response.
    snprintf(response->problem, sizeof response->problem, "%s", message[0] ? message : client->message(code));
    return;
  }
  client->getinfo(easy, INFO_RESPONSE_CODE, &response->status);
  long long retry_after = 0;
  if (client->getinfo(easy, INFO_RETRY_AFTER, &retry_after) == 0) response->retry_after = retry_after;
}

void cl_client_destroy(struct cl_client *client) {
  client->cleanup(client->easy);
  client->free_list(client->headers);
  free(client);
}
