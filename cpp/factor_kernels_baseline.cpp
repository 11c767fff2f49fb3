#include <string.h>

#include "factor_kernels.h"
#include "portable.h"

#define PINGCE_FACTORS baseline_factors
#define PINGCE_NAME "baseline"
#define PINGCE_BYTES 16
#define PINGCE_USERS 6
#include "factor_kernels.inc"
