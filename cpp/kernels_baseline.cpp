#include <math.h>

#include "kernels.h"
#include "portable.h"

#define PINGCE_KERNELS baseline_kernels
#define PINGCE_NAME "baseline"
#include "kernels.inc"
