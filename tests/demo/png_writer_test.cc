#include "tools/demo_programs/png_writer.h"

#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace demo {
namespace {

TEST(PngWriterTest, WritesTheBytesOfTheStandard) {
  // One red pixel; the checksums were computed with Python's zlib.
  const std::string expected(
      "\x89PNG\r\n\x1a\n"
      "\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90\x77\x53\xde"
      "\0\0\0\x0fIDAT\x78\x01\x01\x04\0\xfb\xff\0\xff\0\0\x03\x01\x01\0\x8d\x1d\xe5\x82"
      "\0\0\0\0IEND\xae\x42\x60\x82",
      72);
  EXPECT_EQ(EncodePng(1, 1, {255, 0, 0}), expected);
}

TEST(PngWriterTest, CutsTheDataIntoBlocksThatTheFormatAllows) {
  // 65536 bytes of rows, one more than a stored block holds.
  const int width = 5461;
  const std::vector<std::uint8_t> pixels(std::size_t{3} * width * 4);
  const std::string png = EncodePng(width, 4, pixels);
  const std::size_t rows = (std::size_t{3} * width + 1) * 4;
  EXPECT_EQ(rows, 65536u);
  // Signature, header, two block headers, zlib's header and checksum, the end.
  EXPECT_EQ(png.size(), 8 + 25 + 12 + 2 + 2 * 5 + rows + 4 + 12);
}

TEST(PngWriterTest, ReportsAFileThatCannotBeWritten) {
  EXPECT_EQ(WritePng("/dev/null/x.png", 1, 1, {0, 0, 0}),
            "The picture cannot be written to /dev/null/x.png: Not a directory.");
}

}  // namespace
}  // namespace demo
