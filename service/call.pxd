"""One call while it is worked on."""

cdef class Call:
    cdef object context
    cdef Py_ssize_t max_answer_bytes
    cdef Py_ssize_t answer_bytes
    cdef set permissions
    cdef readonly object caller
    cdef readonly object tokens

    cpdef object check(self)
    cpdef object add_answer_bytes(self, Py_ssize_t count)
