/// HTTP requests by libcurl, which is loaded when the first request is made.
///
/// Linking libcurl would make every command of xferlog start about 5 ms later, because it needs some 30 other libraries.
#ifndef CCURLLOADING_H
#define CCURLLOADING_H

#include <stddef.h>

/// What a request ended with.
struct cl_response {
  /// The HTTP status; 0 if there was no response.
  long status;
  /// The seconds that the server asks to wait (`Retry-After`); 0 if it does not.
  long long retry_after;
  /// The beginning of the response's body.
  char body[1024];
  size_t body_size;
  /// Why there was no response; empty if there was one.
  char problem[512];
};

/// A client that keeps its connection. Must be used by one thread at a time.
struct cl_client;

/// Loads libcurl and creates a client.
///
/// Returns NULL, with a message in `problem`, if libcurl is not installed.
struct cl_client *cl_client_create(char *problem, size_t size);

/// Adds a header field to all requests, such as `Authorization: …`. Returns whether there was memory for it.
int cl_client_add_header(struct cl_client *client, const char *line);

/// Sends a POST request and waits for its response. Redirects are not followed.
///
/// `should_stop` is called several times a second; the request ends when it returns a value other than 0.
void cl_client_post(
  struct cl_client *client, const char *url, const void *body, size_t size, long timeout_milliseconds, int (*should_stop)(void),
  struct cl_response *response);

void cl_client_destroy(struct cl_client *client);

#endif
