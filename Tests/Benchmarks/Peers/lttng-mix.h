// The event mix as LTTng-UST tracepoints. LTTng-UST includes this file several times.
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER mix
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "lttng-mix.h"

#if !defined(LTTNG_MIX_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define LTTNG_MIX_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(
    mix, received, LTTNG_UST_TP_ARGS(uint32_t, task, uint32_t, attempt, uint64_t, received, uint64_t, expected),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_integer(uint32_t, task, task) lttng_ust_field_integer(uint32_t, attempt, attempt)
            lttng_ust_field_integer(uint64_t, received, received) lttng_ust_field_integer(uint64_t, expected, expected)))

LTTNG_UST_TRACEPOINT_EVENT(
    mix, entered,
    LTTNG_UST_TP_ARGS(uint32_t, task, uint64_t, delivery, uint8_t, callback, const char *, queue, uint8_t, on_main),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_integer(uint32_t, task, task) lttng_ust_field_integer(uint64_t, delivery, delivery)
            lttng_ust_field_integer(uint8_t, callback, callback) lttng_ust_field_string(queue, queue)
                lttng_ust_field_integer(uint8_t, on_main, on_main)))

LTTNG_UST_TRACEPOINT_EVENT(
    mix, redirected,
    LTTNG_UST_TP_ARGS(
        uint32_t, task, uint32_t, attempt, uint32_t, transaction, uint32_t, status, const char *, host, const char *, path),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_integer(uint32_t, task, task) lttng_ust_field_integer(uint32_t, attempt, attempt)
            lttng_ust_field_integer(uint32_t, transaction, transaction) lttng_ust_field_integer(uint32_t, status, status)
                lttng_ust_field_string(host, host) lttng_ust_field_string(path, path)))

#endif

#include <lttng/tracepoint-event.h>
