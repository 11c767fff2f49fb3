// Integers of 128 bits, which the compilers have and the standard does not name.
#pragma once

namespace pingce {

__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

}  // namespace pingce
