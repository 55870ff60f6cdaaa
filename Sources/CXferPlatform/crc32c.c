#include "CXferPlatform.h"

#include <string.h>

#if defined(__x86_64__)
#include <nmmintrin.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

// The reflected polynomial of CRC-32C.
static const uint32_t polynomial = 0x82F63B78;

// table[k][b] is the CRC of byte b followed by k zero bytes. Filled before main, so reading it needs no lock.
static uint32_t table[8][256];

__attribute__((constructor)) static void build_table(void) {
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ ((crc & 1) ? polynomial : 0);
    table[0][byte] = crc;
  }
  for (uint32_t byte = 0; byte < 256; byte++) {
    for (int k = 1; k < 8; k++) table[k][byte] = (table[k - 1][byte] >> 8) ^ table[0][table[k - 1][byte] & 0xFF];
  }
}

uint32_t xp_crc32c_software(uint32_t crc, const void *bytes, size_t count) {
  const uint8_t *next = bytes;
  crc = ~crc;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  while (count >= 8) {
    uint64_t word;
    memcpy(&word, next, 8);
    word ^= crc;
    crc = table[7][word & 0xFF] ^ table[6][(word >> 8) & 0xFF] ^ table[5][(word >> 16) & 0xFF] ^ table[4][(word >> 24) & 0xFF]
        ^ table[3][(word >> 32) & 0xFF] ^ table[2][(word >> 40) & 0xFF] ^ table[1][(word >> 48) & 0xFF] ^ table[0][word >> 56];
    next += 8;
    count -= 8;
  }
#endif
  while (count-- > 0) crc = (crc >> 8) ^ table[0][(crc ^ *next++) & 0xFF];
  return ~crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) static uint32_t crc32c_instruction(uint32_t crc, const void *bytes, size_t count) {
  const uint8_t *next = bytes;
  uint64_t wide = ~crc;
  while (count >= 8) {
    uint64_t word;
    memcpy(&word, next, 8);
    wide = _mm_crc32_u64(wide, word);
    next += 8;
    count -= 8;
  }
  uint32_t narrow = (uint32_t)wide;
  if (count >= 4) {
    uint32_t word;
    memcpy(&word, next, 4);
    narrow = _mm_crc32_u32(narrow, word);
    next += 4;
    count -= 4;
  }
  while (count-- > 0) narrow = _mm_crc32_u8(narrow, *next++);
  return ~narrow;
}

static bool has_instruction;
__attribute__((constructor)) static void detect_instruction(void) {
  __builtin_cpu_init();
  has_instruction = __builtin_cpu_supports("sse4.2");
}
#elif defined(__aarch64__)
__attribute__((target("+crc"))) static uint32_t crc32c_instruction(uint32_t crc, const void *bytes, size_t count) {
  const uint8_t *next = bytes;
  crc = ~crc;
  while (count >= 8) {
    uint64_t word;
    memcpy(&word, next, 8);
    crc = __builtin_arm_crc32cd(crc, word);
    next += 8;
    count -= 8;
  }
  while (count-- > 0) crc = __builtin_arm_crc32cb(crc, *next++);
  return ~crc;
}

static bool has_instruction;
__attribute__((constructor)) static void detect_instruction(void) {
#if defined(__linux__)
  has_instruction = (getauxval(AT_HWCAP) & (1 << 7)) != 0; // HWCAP_CRC32
#else
  has_instruction = true; // All Apple processors of the supported systems have the instruction.
#endif
}
#endif

uint32_t xp_crc32c(uint32_t crc, const void *bytes, size_t count) {
#if defined(__x86_64__) || defined(__aarch64__)
  if (has_instruction) return crc32c_instruction(crc, bytes, count);
#endif
  return xp_crc32c_software(crc, bytes, count);
}
