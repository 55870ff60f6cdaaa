#include "CLogTestSupport.h"

#include <unistd.h>

int lts_fork(void) { return fork(); }
