// A server of libmicrohttpd and wslay without anything else, to compare pipit's with: the same bytes for every GET, and
// each binary message of a WebSocket sent back.
// usage: bare PORT BYTES        built by Tests/Web/speed
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <nettle/base64.h>
#include <nettle/sha1.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <wslay/wslay.h>

struct peer {
  int socket;
  wslay_event_context_ptr context;
  struct MHD_UpgradeResponseHandle *upgraded;
};

enum { PEERS = 16 };
static struct peer peers[PEERS];
static int count;
static struct MHD_Response *page;

static ssize_t receive(wslay_event_context_ptr context, uint8_t *bytes, size_t size, int flags, void *peer)
{
  ssize_t got = recv(((struct peer *)peer)->socket, bytes, size, MSG_DONTWAIT);
  if (got > 0) return got;
  wslay_event_set_error(context, got < 0 && errno == EAGAIN ? WSLAY_ERR_WOULDBLOCK : WSLAY_ERR_CALLBACK_FAILURE);
  return -1;
}

static ssize_t transmit(wslay_event_context_ptr context, const uint8_t *bytes, size_t size, int flags, void *peer)
{
  ssize_t sent = send(((struct peer *)peer)->socket, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent >= 0) return sent;
  wslay_event_set_error(context, errno == EAGAIN ? WSLAY_ERR_WOULDBLOCK : WSLAY_ERR_CALLBACK_FAILURE);
  return -1;
}

static void echo(wslay_event_context_ptr context, const struct wslay_event_on_msg_recv_arg *message, void *peer)
{
  if (message->opcode != WSLAY_BINARY_FRAME) return;
  struct wslay_event_msg answer = {WSLAY_BINARY_FRAME, message->msg, message->msg_length};
  wslay_event_queue_msg(context, &answer);
}

static void upgraded(
  void *data, struct MHD_Connection *connection, void *context, const char *early, size_t size, MHD_socket socket,
  struct MHD_UpgradeResponseHandle *handle)
{
  if (count == PEERS) return;
  int yes = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  struct wslay_event_callbacks callbacks = {.recv_callback = receive, .send_callback = transmit, .on_msg_recv_callback = echo};
  struct peer *peer = &peers[count++];
  *peer = (struct peer){.socket = socket, .upgraded = handle};
  wslay_event_context_server_init(&peer->context, &callbacks, peer);
}

static enum MHD_Result answer(
  void *data, struct MHD_Connection *connection, const char *path, const char *method, const char *version,
  const char *body, size_t *size, void **request)
{
  if (!*request) {
    *request = page;
    return MHD_YES;
  }
  const char *key = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Sec-WebSocket-Key");
  if (!key) return MHD_queue_response(connection, 200, page);
  struct sha1_ctx sha;
  uint8_t digest[20];
  char accept[29] = {0}, text[128];
  snprintf(text, sizeof text, "%s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", key);
  sha1_init(&sha);
  sha1_update(&sha, strlen(text), (uint8_t *)text);
  sha1_digest(&sha, sizeof digest, digest);
  base64_encode_raw(accept, sizeof digest, digest);
  struct MHD_Response *response = MHD_create_response_for_upgrade(upgraded, 0);
  MHD_add_response_header(response, "Upgrade", "websocket");
  MHD_add_response_header(response, "Sec-WebSocket-Accept", accept);
  enum MHD_Result result = MHD_queue_response(connection, 101, response);
  MHD_destroy_response(response);
  return result;
}

int main(int argc, char **words)
{
  if (argc != 3) return 2;
  size_t size = strtoul(words[2], 0, 10);
  page = MHD_create_response_from_buffer(size, calloc(size, 1), MHD_RESPMEM_MUST_FREE);
  struct MHD_Daemon *daemon =
    MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_UPGRADE, atoi(words[1]), 0, 0, answer, 0, MHD_OPTION_END);
  if (!daemon) return 1;
  int epoll = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
  for (;;) {
    struct pollfd polled[1 + PEERS] = {{epoll, POLLIN, 0}};
    for (int index = 0; index < count; index++) polled[1 + index] = (struct pollfd){peers[index].socket, POLLIN, 0};
    MHD_UNSIGNED_LONG_LONG wait;
    int known = count;
    poll(polled, 1 + known, MHD_get_timeout(daemon, &wait) == MHD_YES ? (int)wait : -1);
    if (polled[0].revents) MHD_run(daemon);
    for (int index = known - 1; index >= 0; index--) {
      if (!polled[1 + index].revents) continue;
      struct peer *peer = &peers[index];
      if (wslay_event_recv(peer->context) == 0 && wslay_event_send(peer->context) == 0 && wslay_event_get_read_enabled(peer->context))
        continue;
      wslay_event_context_free(peer->context);
      MHD_upgrade_action(peer->upgraded, MHD_UPGRADE_ACTION_CLOSE);
      *peer = peers[--count];
      MHD_run(daemon);
    }
  }
}
