/*
 * What ConcurrencyKit's configure script would find out about a foreign machine. The one in this
 * machine's folder says that stores are seen in order, which would leave out all fences.
 */
#ifndef CK_MD_H
#define CK_MD_H

#define CK_MD_CACHELINE (64)
#define CK_MD_PAGESIZE (4096)
#define CK_MD_RMO
#define CK_MD_LSE_DISABLE
#define CK_MD_RTM_DISABLE
#define CK_MD_POINTER_PACK_DISABLE

#endif
