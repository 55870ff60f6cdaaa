#include "CXferPlatform.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// Moves behind digits. Returns whether there is at least one digit, and a byte of the line behind them.
static inline __attribute__((always_inline)) bool pass_digits(const uint8_t *line, size_t *place, size_t end) {
  const size_t start = *place;
  while (*place < end) {
    uint64_t word;
    memcpy(&word, line + *place, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    // The high half of a byte is 3 both before and after 6 is added, if and only if the byte is a digit. A carry into the next byte comes
    // from a byte that is none.
    const uint64_t high = 0xF0F0F0F0F0F0F0F0, three = 0x3030303030303030;
    const uint64_t others = ((word & high) ^ three) | (((word + 0x0606060606060606) & high) ^ three);
    if (others != 0) {
      *place += (size_t)__builtin_ctzll(others) >> 3;
      return *place > start && *place < end;
    }
    *place += 8;
  }
  return false;
}

// Moves to the quotation mark that ends a string. Returns whether there is one in the line, and no escaped backslash before it.
static inline bool pass_string(const uint8_t *line, size_t *place, size_t end) {
  uint64_t ends_escaped = 0;
  while (true) {
    uint64_t quotes, backslashes, newlines, zeros;
    xp_compare_64(line + *place, '"', '\\', &quotes, &backslashes);
    xp_compare_64(line + *place, '\n', '\0', &newlines, &zeros);
    const uint64_t escaped = backslashes << 1 | ends_escaped;
    quotes &= ~escaped;
    const uint64_t stops = quotes | newlines | zeros;
    if (stops != 0) {
      const int count = __builtin_ctzll(stops);
      *place += (size_t)count;
      return *place < end && line[*place] == '"' && (backslashes & escaped & ((1ULL << count) - 1)) == 0;
    }
    if ((backslashes & escaped) != 0) return false;
    ends_escaped = backslashes >> 63;
    *place += 64;
    if (*place >= end) return false;
  }
}

size_t xp_layout_match_software(
  const struct xp_layout_part *parts, size_t count, const void *text, size_t size, struct xp_layout_place *places) {
  const uint8_t *line = text;
  size_t place = 0;
  for (size_t index = 0; index < count; index++) {
    const struct xp_layout_part *part = parts + index;
    uint64_t different = 0;
    for (size_t word = 0; word < 4; word++) {
      uint64_t found;
      memcpy(&found, line + place + 8 * word, 8);
      different |= (found ^ part->text[word]) & part->mask[word];
    }
    if (different != 0) return 0;
    place += part->count;
    if (place > size) return 0;
    const size_t start = place;
    if (part->value == XP_LAYOUT_STRING && !pass_string(line, &place, size)) return 0;
    if (part->value == XP_LAYOUT_DIGITS && !pass_digits(line, &place, size)) return 0;
    if (part->value != XP_LAYOUT_NONE) places[index] = (struct xp_layout_place){(uint32_t)start, (uint32_t)place};
  }
  return place;
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static inline __attribute__((always_inline)) bool pass_string_avx2(
  const uint8_t *line, size_t *place, size_t end) {
  // A byte is found if it equals the byte of this table that its low four bits select.
  const __m256i special = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 0, '"', 0, 0, 0, 0, 0, 0, 0, '\n', 0, '\\', 0, 0, 0));
  size_t start = *place;
  while (start < end) {
    const __m256i text = _mm256_loadu_si256((const __m256i *)(line + start));
    const __m256i equal = _mm256_cmpeq_epi8(text, _mm256_shuffle_epi8(special, text));
    uint32_t found = (uint32_t)_mm256_movemask_epi8(equal);
    size_t next = start + 32;
    while (found != 0) {
      const size_t count = (size_t)__builtin_ctz(found);
      const uint8_t byte = line[start + count];
      if (byte != '\\') {
        *place = start + count;
        return byte == '"' && *place < end;
      }
      const uint8_t escaped = line[start + count + 1];
      if (escaped == '\\' || escaped == '\n' || escaped == '\0') return false;
      if (count == 31) next++;
      found &= ~(3U << count);
    }
    start = next;
  }
  return false;
}

__attribute__((target("avx2"))) static inline __attribute__((always_inline)) bool pass_digits_avx2(
  const uint8_t *line, size_t *place, size_t end) {
  const size_t start = *place;
  while (*place < end) {
    const __m256i text = _mm256_loadu_si256((const __m256i *)(line + *place));
    const __m256i values = _mm256_sub_epi8(text, _mm256_set1_epi8('0'));
    const __m256i digits = _mm256_cmpeq_epi8(_mm256_min_epu8(values, _mm256_set1_epi8(9)), values);
    const uint32_t others = ~(uint32_t)_mm256_movemask_epi8(digits);
    if (others != 0) {
      *place += (size_t)__builtin_ctz(others);
      return *place > start && *place < end;
    }
    *place += 32;
  }
  return false;
}

__attribute__((target("avx2"))) static size_t match_avx2(
  const struct xp_layout_part *parts, size_t count, const void *text, size_t size, struct xp_layout_place *places) {
  const uint8_t *line = text;
  const struct xp_layout_part *const end = parts + count;
  size_t place = 0;
  for (const struct xp_layout_part *part = parts; part < end; part++, places++) {
    const __m256i found = _mm256_loadu_si256((const __m256i *)(line + place));
    const __m256i different = _mm256_xor_si256(found, _mm256_loadu_si256((const __m256i *)part->text));
    if (!_mm256_testz_si256(different, _mm256_loadu_si256((const __m256i *)part->mask))) return 0;
    place += part->count;
    const size_t start = place;
    if (part->value == XP_LAYOUT_STRING) {
      if (!pass_string_avx2(line, &place, size)) return 0;
    } else if (part->value == XP_LAYOUT_DIGITS) {
      if (!pass_digits_avx2(line, &place, size)) return 0;
    } else {
      if (place > size) return 0;
      continue;
    }
    *places = (struct xp_layout_place){(uint32_t)start, (uint32_t)place};
  }
  return place;
}

static bool has_avx2;
__attribute__((constructor)) static void detect_avx2(void) {
  __builtin_cpu_init();
  has_avx2 = __builtin_cpu_supports("avx2");
}
#endif

size_t xp_layout_match(
  const struct xp_layout_part *parts, size_t count, const void *text, size_t size, struct xp_layout_place *places) {
#if defined(__x86_64__)
  if (has_avx2) return match_avx2(parts, count, text, size, places);
#endif
  return xp_layout_match_software(parts, count, text, size, places);
}
