// WritePng: an 8-bit RGB picture as a PNG file.
//
// Small and without a library: the pixels are stored, not compressed.
// The result is a sentence if the file could not be written, else empty.
//
// Example:
//   const std::string problem = WritePng("picture.png", 2, 1, {255, 0, 0, 0, 0, 255});
#ifndef FILCH_TOOLS_DEMO_PROGRAMS_PNG_WRITER_H_
#define FILCH_TOOLS_DEMO_PROGRAMS_PNG_WRITER_H_

#include <cstdint>
#include <string>
#include <vector>

namespace demo {

// `pixels`: width * height * 3 bytes, rows from top to bottom.
std::string EncodePng(int width, int height, const std::vector<std::uint8_t>& pixels);
std::string WritePng(const std::string& file, int width, int height,
                     const std::vector<std::uint8_t>& pixels);

}  // namespace demo

#endif  // FILCH_TOOLS_DEMO_PROGRAMS_PNG_WRITER_H_
