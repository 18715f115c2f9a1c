/*
 * For files that call the operating system about files; to be included first of all. Offsets in
 * files are 64 bits wide, also where addresses are not.
 */
#ifndef GUIRA_LIB_POSIX_H
#define GUIRA_LIB_POSIX_H

#define _POSIX_C_SOURCE 200809L
#if defined(__SIZEOF_POINTER__) && __SIZEOF_POINTER__ < 8
#define _FILE_OFFSET_BITS 64
#endif

#endif
