#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CLogTestSupport.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#if defined(__APPLE__)
#include <util.h>
#else
#include <pty.h>
#endif

extern char **environ;

int lts_spawn_on_terminal(
    const char *program, char *const arguments[], char *const environment[], const char *directory, int columns,
    int *controller) {
  struct winsize size = {.ws_row = 50, .ws_col = (unsigned short)columns};
  int process = forkpty(controller, NULL, NULL, &size);
  if (process == 0) {
    // The threads of the parent do not exist here, so only functions that are safe after fork are called.
    if (directory != NULL && chdir(directory) != 0) _exit(126);
    environ = (char **)environment;
    execvp(program, arguments);
    _exit(127);
  }
  if (process > 0) fcntl(*controller, F_SETFD, FD_CLOEXEC);
  return process < 0 ? -errno : process;
}
