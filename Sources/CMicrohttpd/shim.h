#include <microhttpd.h>

// Swift cannot call functions with a variable number of arguments, or with arguments that depend on another.

static inline struct MHD_Daemon *pipit_start(
  unsigned int flags, MHD_AcceptPolicyCallback accept, void *accept_data, MHD_AccessHandlerCallback handle,
  void *handle_data, const struct MHD_OptionItem *options)
{
  return MHD_start_daemon(
    flags, 0, accept, accept_data, handle, handle_data, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

static inline int pipit_epoll_descriptor(struct MHD_Daemon *daemon)
{
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

static inline int pipit_socket(struct MHD_Connection *connection)
{
  const union MHD_ConnectionInfo *info =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

static inline const struct sockaddr *pipit_address(struct MHD_Connection *connection)
{
  const union MHD_ConnectionInfo *info =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info ? info->client_addr : 0;
}

static inline void pipit_close(struct MHD_UpgradeResponseHandle *upgrade)
{
  MHD_upgrade_action(upgrade, MHD_UPGRADE_ACTION_CLOSE);
}

static inline void *pipit_context(struct MHD_Connection *connection)
{
  const union MHD_ConnectionInfo *info =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : 0;
}
