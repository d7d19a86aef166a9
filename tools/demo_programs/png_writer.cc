#include "tools/demo_programs/png_writer.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace demo {
namespace {

std::array<std::uint32_t, 256> CrcTable() {
  std::array<std::uint32_t, 256> table;
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t remainder = i;
    for (int bit = 0; bit < 8; ++bit) {
      remainder = (remainder >> 1) ^ ((remainder & 1) != 0 ? 0xEDB88320u : 0u);
    }
    table[i] = remainder;
  }
  return table;
}

std::uint32_t Crc(const std::string& bytes) {
  static const std::array<std::uint32_t, 256> table = CrcTable();
  std::uint32_t crc = 0xFFFFFFFFu;
  for (const char c : bytes) crc = table[(crc ^ static_cast<unsigned char>(c)) & 0xFF] ^ (crc >> 8);
  return ~crc;
}

std::uint32_t Adler(const std::string& bytes) {
  std::uint32_t a = 1;
  std::uint32_t b = 0;
  for (const char c : bytes) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  return (b << 16) | a;
}

// Most significant byte first, as PNG has it.
std::string Big32(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>((value >> shift) & 0xFF);
  return bytes;
}

std::string Chunk(const std::string& type, const std::string& data) {
  return Big32(static_cast<std::uint32_t>(data.size())) + type + data + Big32(Crc(type + data));
}

// A zlib stream of stored blocks.
std::string Zlib(const std::string& data) {
  constexpr std::size_t kLargestBlock = 65535;
  std::string stream = "\x78\x01";
  std::size_t begin = 0;
  do {
    const std::size_t size = std::min(kLargestBlock, data.size() - begin);
    stream += static_cast<char>(begin + size == data.size());
    stream += static_cast<char>(size & 0xFF);
    stream += static_cast<char>(size >> 8);
    stream += static_cast<char>(~size & 0xFF);
    stream += static_cast<char>((~size >> 8) & 0xFF);
    stream.append(data, begin, size);
    begin += size;
  } while (begin < data.size());
  return stream + Big32(Adler(data));
}

}  // namespace

std::string EncodePng(int width, int height, const std::vector<std::uint8_t>& pixels) {
  const std::size_t row = static_cast<std::size_t>(width) * 3;
  std::string rows;
  rows.reserve((row + 1) * static_cast<std::size_t>(height));
  for (std::size_t begin = 0; begin < pixels.size(); begin += row) {
    rows += '\0';  // this row is not filtered
    rows.append(reinterpret_cast<const char*>(pixels.data()) + begin, row);
  }
  // 8 bits a channel, red green blue, the only compression and filtering there
  // are, not interlaced.
  const std::string header = Big32(static_cast<std::uint32_t>(width)) +
                             Big32(static_cast<std::uint32_t>(height)) +
                             std::string("\x08\x02\x00\x00\x00", 5);
  return "\x89PNG\r\n\x1a\n" + Chunk("IHDR", header) + Chunk("IDAT", Zlib(rows)) +
         Chunk("IEND", "");
}

std::string WritePng(const std::string& file, int width, int height,
                     const std::vector<std::uint8_t>& pixels) {
  const std::string bytes = EncodePng(width, height, pixels);
  std::FILE* const out = std::fopen(file.c_str(), "wb");
  bool good = out != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), out) == bytes.size();
  if (out != nullptr) good = std::fclose(out) == 0 && good;
  if (good) return "";
  return "The picture cannot be written to " + file + ": " + std::strerror(errno) + ".";
}

}  // namespace demo
