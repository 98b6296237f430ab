#include "CMicrohttpd.h"
#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>

static struct {
  __typeof__(MHD_start_daemon) *start_daemon;
  __typeof__(MHD_stop_daemon) *stop_daemon;
  __typeof__(MHD_add_connection) *add_connection;
  __typeof__(MHD_run) *run;
  __typeof__(MHD_get_timeout) *get_timeout;
  __typeof__(MHD_get_fdset2) *get_fdset2;
  __typeof__(MHD_get_connection_info) *get_connection_info;
  __typeof__(MHD_get_connection_values) *get_connection_values;
  __typeof__(MHD_suspend_connection) *suspend_connection;
  __typeof__(MHD_resume_connection) *resume_connection;
  __typeof__(MHD_create_response_from_buffer) *create_response_from_buffer;
  __typeof__(MHD_create_response_from_callback) *create_response_from_callback;
  __typeof__(MHD_create_response_for_upgrade) *create_response_for_upgrade;
  __typeof__(MHD_add_response_header) *add_response_header;
  __typeof__(MHD_queue_response) *queue_response;
  __typeof__(MHD_destroy_response) *destroy_response;
  __typeof__(MHD_upgrade_action) *upgrade_action;
  __typeof__(MHD_http_unescape) *http_unescape;
} library;

static _Bool is_loaded;

static void load(void)
{
  void *handle = dlopen("libmicrohttpd.so.12", RTLD_NOW);
  if (!handle) return;
#define LOAD(name) ((library.name = dlsym(handle, "MHD_" #name)) != 0)
  is_loaded = LOAD(start_daemon) && LOAD(stop_daemon) && LOAD(add_connection) && LOAD(run) && LOAD(get_timeout)
    && LOAD(get_fdset2) && LOAD(get_connection_info) && LOAD(get_connection_values) && LOAD(suspend_connection)
    && LOAD(resume_connection) && LOAD(create_response_from_buffer) && LOAD(create_response_from_callback)
    && LOAD(create_response_for_upgrade) && LOAD(add_response_header) && LOAD(queue_response)
    && LOAD(destroy_response) && LOAD(upgrade_action) && LOAD(http_unescape);
#undef LOAD
}

_Bool http_load(void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded;
}

static size_t unescape(void *data, struct MHD_Connection *connection, char *text)
{
  (void)data, (void)connection;
  return strstr(text, "%00") ? strlen(text) : library.http_unescape(text);
}

struct MHD_Daemon *http_start_daemon(
  unsigned int flags, MHD_AccessHandlerCallback handle, void *data, const struct MHD_OptionItem *options)
{
  return library.start_daemon(
    flags, 0, 0, 0, handle, data, MHD_OPTION_UNESCAPE_CALLBACK, unescape, (void *)0, MHD_OPTION_ARRAY, options,
    MHD_OPTION_END);
}

void http_stop_daemon(struct MHD_Daemon *daemon) { library.stop_daemon(daemon); }

enum MHD_Result http_add_connection(
  struct MHD_Daemon *daemon, int socket, const struct sockaddr *address, socklen_t length)
{
  return library.add_connection(daemon, socket, address, length);
}

enum MHD_Result http_run(struct MHD_Daemon *daemon) { return library.run(daemon); }

enum MHD_Result http_get_timeout(struct MHD_Daemon *daemon, MHD_UNSIGNED_LONG_LONG *milliseconds)
{
  return library.get_timeout(daemon, milliseconds);
}

void http_get_events(struct MHD_Daemon *daemon, const int *sockets, short *events, int count)
{
  fd_set reading, writing, failing;
  FD_ZERO(&reading);
  FD_ZERO(&writing);
  FD_ZERO(&failing);
  library.get_fdset2(daemon, &reading, &writing, &failing, 0, FD_SETSIZE);
  for (int i = 0; i < count; i++) {
    events[i] = 0;
    if (sockets[i] < 0 || sockets[i] >= FD_SETSIZE) continue;
    if (FD_ISSET(sockets[i], &reading)) events[i] |= POLLIN;
    if (FD_ISSET(sockets[i], &writing)) events[i] |= POLLOUT;
  }
}

int http_socket(struct MHD_Connection *connection)
{
  const union MHD_ConnectionInfo *info =
    library.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

void *http_socket_context(struct MHD_Connection *connection)
{
  const union MHD_ConnectionInfo *info =
    library.get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : 0;
}

int http_get_values(
  struct MHD_Connection *connection, enum MHD_ValueKind kind, MHD_KeyValueIterator iterator, void *data)
{
  return library.get_connection_values(connection, kind, iterator, data);
}

void http_suspend(struct MHD_Connection *connection) { library.suspend_connection(connection); }

void http_resume(struct MHD_Connection *connection) { library.resume_connection(connection); }

struct MHD_Response *http_create_response(const void *bytes, size_t count)
{
  return library.create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

struct MHD_Response *http_create_stream(
  uint64_t count, MHD_ContentReaderCallback read, void *data, MHD_ContentReaderFreeCallback release)
{
  return library.create_response_from_callback(count, 32 << 10, read, data, release);
}

struct MHD_Response *http_create_upgrade(MHD_UpgradeHandler handler, void *data)
{
  return library.create_response_for_upgrade(handler, data);
}

enum MHD_Result http_add_header(struct MHD_Response *response, const char *name, const char *value)
{
  return library.add_response_header(response, name, value);
}

enum MHD_Result http_queue_response(
  struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response)
{
  return library.queue_response(connection, status, response);
}

void http_destroy_response(struct MHD_Response *response) { library.destroy_response(response); }

void http_close(struct MHD_UpgradeResponseHandle *upgraded)
{
  library.upgrade_action(upgraded, MHD_UPGRADE_ACTION_CLOSE);
}
