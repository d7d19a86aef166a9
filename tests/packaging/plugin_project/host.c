// Loads a plugin and calls it.
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
  void* const plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (plugin == NULL) {
    puts(argc > 1 ? dlerror() : "usage: host PLUGIN");
    return 1;
  }
  int (*count)(int) = (int (*)(int))dlsym(plugin, "CountInParallel");
  printf("plugin: %d units\n", count(1000));
  return 0;
}
