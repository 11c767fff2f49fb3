// Compiled with -mavx2 -mfma, and called only where the processor has both.
#include <immintrin.h>
#include <math.h>
#include <string.h>

#include "kernels.h"
#include "log_table.h"
#include "portable.h"

#define PINGCE_FOUR_LOGARITHMS
#define PINGCE_KERNELS avx2_kernels
#define PINGCE_NAME "avx2"
#include "logarithms.inc"
// The loops of all instruction sets.
#include "kernels.inc"
