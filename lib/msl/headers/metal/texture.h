// Textures and samplers, which there are not: their names say so.
#pragma once

#define __BSM_NO_TEXTURE                                                       \
  __attribute__((                                                              \
      unavailable("textures are not supported; pass a device buffer")))

namespace metal {

enum class access { sample, read, write, read_write };

#define __BSM_TEXTURE(name)                                                    \
  template <typename T, access a = access::sample>                             \
  struct __BSM_NO_TEXTURE name {};
__BSM_TEXTURE(texture1d)
__BSM_TEXTURE(texture1d_array)
__BSM_TEXTURE(texture2d)
__BSM_TEXTURE(texture2d_array)
__BSM_TEXTURE(texture2d_ms)
__BSM_TEXTURE(texture3d)
__BSM_TEXTURE(texturecube)
__BSM_TEXTURE(texturecube_array)
__BSM_TEXTURE(texture_buffer)
__BSM_TEXTURE(depth2d)
__BSM_TEXTURE(depth2d_array)
__BSM_TEXTURE(depthcube)
struct __BSM_NO_TEXTURE sampler {};
#undef __BSM_TEXTURE

} // namespace metal

#undef __BSM_NO_TEXTURE
