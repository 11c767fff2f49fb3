// Compiled with -mavx2, and called only where the processor has that.
#include <string.h>

#include "factor_kernels.h"
#include "portable.h"

#define PINGCE_FACTORS avx2_factors
#define PINGCE_NAME "avx2"
#define PINGCE_BYTES 32
#define PINGCE_USERS 6
#include "factor_kernels.inc"
