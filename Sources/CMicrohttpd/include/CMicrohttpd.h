#pragma once
#include <microhttpd.h>

// libmicrohttpd, loaded on first use: the library and those that it brings hold six megabytes. The functions have the
// names and the meaning of the library's, with these differences: Swift cannot call functions with a variable number of
// arguments, and gets one property by one function.

// Loads the library, which stays loaded. False if it is not installed. Any thread; before all other functions.
_Bool http_load(void);

// A path or a value of a query with %00, at which it would be cut, keeps all its escapes.
struct MHD_Daemon *http_start_daemon(
  unsigned int flags, MHD_AccessHandlerCallback handle, void *data, const struct MHD_OptionItem *options);
// No connection may be suspended.
void http_stop_daemon(struct MHD_Daemon *daemon);
// Gives the library an accepted socket, which it closes. It may do so later without having announced the connection.
enum MHD_Result http_add_connection(
  struct MHD_Daemon *daemon, int socket, const struct sockaddr *address, socklen_t length);
enum MHD_Result http_run(struct MHD_Daemon *daemon);
enum MHD_Result http_get_timeout(struct MHD_Daemon *daemon, MHD_UNSIGNED_LONG_LONG *milliseconds);
// The events of poll, POLLIN and POLLOUT, that the library waits for at each socket: none at those that are suspended.
void http_get_events(struct MHD_Daemon *daemon, const int *sockets, short *events, int count);

int http_socket(struct MHD_Connection *connection);
void *http_socket_context(struct MHD_Connection *connection);
int http_get_values(
  struct MHD_Connection *connection, enum MHD_ValueKind kind, MHD_KeyValueIterator iterator, void *data);
void http_suspend(struct MHD_Connection *connection);
void http_resume(struct MHD_Connection *connection);

// The bytes are copied.
struct MHD_Response *http_create_response(const void *bytes, size_t count);
// The bytes come from a function.
struct MHD_Response *http_create_stream(
  uint64_t count, MHD_ContentReaderCallback read, void *data, MHD_ContentReaderFreeCallback release);
struct MHD_Response *http_create_upgrade(MHD_UpgradeHandler handler, void *data);
enum MHD_Result http_add_header(struct MHD_Response *response, const char *name, const char *value);
enum MHD_Result http_queue_response(
  struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response);
void http_destroy_response(struct MHD_Response *response);
void http_close(struct MHD_UpgradeResponseHandle *upgraded);
