# cython: language_level=3, auto_pickle=False
"""The names of tokens: the first 16 bytes of their SHA-256.

It is computed by OpenSSL, which hashlib has loaded, without the objects that hashlib puts around it: for some hundred
bytes they cost several times what the sum does. Where OpenSSL is not a shared library, hashlib does it.
"""

import _hashlib
import ctypes
from hashlib import sha256

from libc.stdint cimport uint64_t, uintptr_t
from libc.string cimport memcpy
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE

cdef enum:
    SUM_BYTES = 32
    CONTEXT_WORDS = 32  # more than a SHA256_CTX has, which are 14

ctypedef int (*Init)(void *context) noexcept nogil
ctypedef int (*Update)(void *context, const void *data, size_t size) noexcept nogil
ctypedef int (*Final)(uint8_t *digest, void *context) noexcept nogil

cdef Init init = NULL
cdef Update update = NULL
cdef Final final = NULL


def find_openssl(file=getattr(_hashlib, "__file__", None)):
    """Look for the functions in a library and those that it is linked with; whether they are there."""
    global init, update, final
    init = NULL
    try:
        library = ctypes.CDLL(file)
        found = [
            ctypes.cast(function, ctypes.c_void_p).value
            for function in (library.SHA256_Init, library.SHA256_Update, library.SHA256_Final)
        ]
    except (AttributeError, OSError, TypeError):
        return False
    update, final = <Update><uintptr_t>found[1], <Final><uintptr_t>found[2]
    init = <Init><uintptr_t>found[0]
    return True


find_openssl()


cdef int put_digest(const uint8_t *token, Py_ssize_t size, uint8_t *digest) except -1:
    """Write the name of a token, 16 bytes."""
    cdef uint64_t context[CONTEXT_WORDS]
    cdef uint8_t whole[SUM_BYTES]
    if init == NULL:
        memcpy(digest, <const uint8_t *>PyBytes_AS_STRING(sha256(token[:size]).digest()), DIGEST_BYTES)
        return 0
    init(context)
    update(context, token, size)
    final(whole, context)
    memcpy(digest, whole, DIGEST_BYTES)
    return 0


def digest_of(bytes token not None):
    """The name of a token, 16 bytes."""
    cdef uint8_t digest[DIGEST_BYTES]
    put_digest(<const uint8_t *>PyBytes_AS_STRING(token), PyBytes_GET_SIZE(token), digest)
    return digest[:DIGEST_BYTES]
