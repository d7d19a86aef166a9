// A ray-traced picture, tile by tile, written as PNG.
//
//   picture [--width N] [--height N] [--picture FILE]
//
// The tiles differ in cost by orders of magnitude, so an even cut of the
// picture would leave threads without work.
#include <tbb/blocked_range2d.h>
#include <tbb/parallel_for.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "tools/demo_programs/command_line.h"
#include "tools/demo_programs/json_object.h"
#include "tools/demo_programs/measure.h"
#include "tools/demo_programs/png_writer.h"
#include "tools/demo_programs/progress.h"
#include "tools/demo_programs/scene.h"

namespace demo {
namespace {

// Pixels on a side: small enough to spread the expensive middle of the picture,
// large enough that the cost of a task does not show.
constexpr int kTile = 16;

class Renderer {
 public:
  Renderer(int width, int height, Progress* progress)
      : width_(width),
        height_(height),
        scene_(width, height),
        progress_(progress),
        pixels_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3) {}

  void Render(bool serial) {
    const std::int64_t total = std::int64_t{width_} * height_;
    progress_->Begin("pixels", total);
    if (serial) {
      for (int y = 0; y < height_; ++y) RenderTile(y, y + 1, 0, width_);
    } else {
      tbb::parallel_for(tbb::blocked_range2d<int>(0, height_, kTile, 0, width_, kTile),
                        [this](const tbb::blocked_range2d<int>& tile) {
                          RenderTile(tile.rows().begin(), tile.rows().end(), tile.cols().begin(),
                                     tile.cols().end());
                        });
    }
    progress_->End();
  }

  const std::vector<std::uint8_t>& pixels() const { return pixels_; }

 private:
  void RenderTile(int top, int bottom, int left, int right) {
    for (int y = top; y < bottom; ++y) {
      std::size_t at = (static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                        static_cast<std::size_t>(left)) *
                       3;
      for (int x = left; x < right; ++x) {
        for (const std::uint8_t channel : scene_.Pixel(x, y)) pixels_[at++] = channel;
      }
      progress_->Add(right - left);
    }
  }

  const int width_;
  const int height_;
  const Scene scene_;
  Progress* const progress_;
  std::vector<std::uint8_t> pixels_;
};

std::string Checksum(const std::vector<std::uint8_t>& bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3u;
  char digits[17];
  std::snprintf(digits, sizeof(digits), "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

int Main(int argc, char** argv) {
  RunOptions options;
  long width = 800;
  long height = 450;
  std::string file;
  CommandLine line("picture", "[--width N] [--height N] [--picture FILE]");
  line.AddRunOptions(&options);
  line.AddNumber("width", 1, 16384, &width);
  line.AddNumber("height", 1, 16384, &height);
  line.AddText("picture", &file);
  line.ParseOrExit(argc, argv);

  Progress progress("picture", options.progress);
  Renderer renderer(static_cast<int>(width), static_cast<int>(height), &progress);
  const Measurement measurement = Measure(options, [&] { renderer.Render(options.serial); });
  const std::string problem = file.empty() ? ""
                                           : WritePng(file, static_cast<int>(width),
                                                      static_cast<int>(height), renderer.pixels());
  if (!problem.empty()) {
    std::fprintf(stderr, "picture: %s\n", problem.c_str());
    return 1;
  }
  const std::string answer = std::to_string(width) + " x " + std::to_string(height) +
                             " pixels, checksum " + Checksum(renderer.pixels());
  return WriteJson(Result("picture", options, measurement, answer), options.json) ? 0 : 1;
}

}  // namespace
}  // namespace demo

int main(int argc, char** argv) {
  return demo::RunProgram("picture", [=] { return demo::Main(argc, argv); });
}
