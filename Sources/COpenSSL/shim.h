// Declares the functions of `sha.h` and `md5.h`, which have no state beyond their argument; see `OpenSSLDigest.swift`.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/evp.h>
#include <openssl/md5.h>
#include <openssl/sha.h>
