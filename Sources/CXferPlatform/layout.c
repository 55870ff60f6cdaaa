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
    uint64_t quotes, backslashes;
    xp_compare_64(line + *place, '"', '\\', &quotes, &backslashes);
    const uint64_t escaped = backslashes << 1 | ends_escaped;
    quotes &= ~escaped;
    if (quotes != 0) {
      const int count = __builtin_ctzll(quotes);
      *place += (size_t)count;
      return *place < end && (backslashes & escaped & ((1ULL << count) - 1)) == 0;
    }
    if ((backslashes & escaped) != 0) return false;
    ends_escaped = backslashes >> 63;
    *place += 64;
    if (*place >= end) return false;
  }
}

bool xp_layout_matches_software(
  const struct xp_layout_part *parts, size_t count, const void *bytes, size_t size, struct xp_layout_place *places) {
  const uint8_t *line = bytes;
  size_t place = 0;
  for (size_t index = 0; index < count; index++) {
    const struct xp_layout_part *part = parts + index;
    uint64_t different = 0;
    for (size_t word = 0; word < 4; word++) {
      uint64_t text;
      memcpy(&text, line + place + 8 * word, 8);
      different |= (text ^ part->text[word]) & part->mask[word];
    }
    if (different != 0) return false;
    place += part->count;
    if (place > size) return false;
    const size_t start = place;
    if (part->value == XP_LAYOUT_STRING && !pass_string(line, &place, size)) return false;
    if (part->value == XP_LAYOUT_DIGITS && !pass_digits(line, &place, size)) return false;
    if (part->value != XP_LAYOUT_NONE) places[index] = (struct xp_layout_place){(uint32_t)start, (uint32_t)place};
  }
  return place == size;
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static inline bool pass_string_avx2(const uint8_t *line, size_t *place, size_t end) {
  const __m256i quote = _mm256_set1_epi8('"'), backslash = _mm256_set1_epi8('\\');
  uint32_t ends_escaped = 0;
  while (true) {
    const __m256i text = _mm256_loadu_si256((const __m256i *)(line + *place));
    uint32_t quotes = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(text, quote));
    const uint32_t backslashes = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(text, backslash));
    const uint32_t escaped = backslashes << 1 | ends_escaped;
    quotes &= ~escaped;
    if (quotes != 0) {
      const int count = __builtin_ctz(quotes);
      *place += (size_t)count;
      return *place < end && (backslashes & escaped & ((1U << count) - 1)) == 0;
    }
    if ((backslashes & escaped) != 0) return false;
    ends_escaped = backslashes >> 31;
    *place += 32;
    if (*place >= end) return false;
  }
}

__attribute__((target("avx2"))) static bool matches_avx2(
  const struct xp_layout_part *parts, size_t count, const void *bytes, size_t size, struct xp_layout_place *places) {
  const uint8_t *line = bytes;
  size_t place = 0;
  for (size_t index = 0; index < count; index++) {
    const struct xp_layout_part *part = parts + index;
    const __m256i text = _mm256_loadu_si256((const __m256i *)(line + place));
    const __m256i different = _mm256_xor_si256(text, _mm256_loadu_si256((const __m256i *)part->text));
    if (!_mm256_testz_si256(different, _mm256_loadu_si256((const __m256i *)part->mask))) return false;
    place += part->count;
    if (place > size) return false;
    if (part->value == XP_LAYOUT_NONE) continue;
    const size_t start = place;
    if (part->value == XP_LAYOUT_STRING ? !pass_string_avx2(line, &place, size) : !pass_digits(line, &place, size)) return false;
    places[index] = (struct xp_layout_place){(uint32_t)start, (uint32_t)place};
  }
  return place == size;
}

static bool has_avx2;
__attribute__((constructor)) static void detect_avx2(void) {
  __builtin_cpu_init();
  has_avx2 = __builtin_cpu_supports("avx2");
}
#endif

bool xp_layout_matches(
  const struct xp_layout_part *parts, size_t count, const void *bytes, size_t size, struct xp_layout_place *places) {
#if defined(__x86_64__)
  if (has_avx2) return matches_avx2(parts, count, bytes, size, places);
#endif
  return xp_layout_matches_software(parts, count, bytes, size, places);
}
