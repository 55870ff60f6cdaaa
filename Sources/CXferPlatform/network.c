#include "CXferPlatform.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#endif

static bool is_cellular(const char *name) {
#ifdef __linux__
  char path[64 + IFNAMSIZ], line[128];
  snprintf(path, sizeof path, "/sys/class/net/%s/uevent", name);
  FILE *file = fopen(path, "re");
  if (!file) return false;
  bool found = false;
  while (!found && fgets(line, sizeof line, file)) found = strncmp(line, "DEVTYPE=wwan", 12) == 0;
  fclose(file);
  return found;
#else
  return strncmp(name, "pdp_ip", 6) == 0;
#endif
}

uint32_t xp_network_state(void) {
  struct ifaddrs *list;
  if (getifaddrs(&list) != 0) return 0;
  bool up = false, other = false;
  for (const struct ifaddrs *one = list; one; one = one->ifa_next) {
    if ((one->ifa_flags & (IFF_UP | IFF_RUNNING)) != (IFF_UP | IFF_RUNNING) || (one->ifa_flags & IFF_LOOPBACK)) continue;
    if (!one->ifa_addr || (one->ifa_addr->sa_family != AF_INET && one->ifa_addr->sa_family != AF_INET6)) continue;
    up = true;
    other = other || !is_cellular(one->ifa_name);
  }
  freeifaddrs(list);
  return XP_NETWORK_KNOWN | (up ? XP_NETWORK_UP : 0) | (up && !other ? XP_NETWORK_CELLULAR : 0);
}

int xp_watch_interfaces(void) {
#ifdef __linux__
  int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
  if (descriptor < 0) return -1;
  struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR};
  if (bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
  close(descriptor);
#endif
  return -1;
}

void xp_drain(int descriptor) {
  char bytes[8192];
  while (recv(descriptor, bytes, sizeof bytes, MSG_DONTWAIT) > 0) {
  }
}
