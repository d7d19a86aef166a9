// Prints the version of the TBB that it is linked with, and of the one that a plugin is.
#include <dlfcn.h>
#include <stdio.h>

// As configure scripts declare it, which look for this function to find TBB.
int TBB_runtime_interface_version(void);
const char* TBB_runtime_version(void);

int main(int argc, char** argv) {
  printf("version: %d, %s", TBB_runtime_interface_version(), TBB_runtime_version());
  if (argc > 1) {
    void* const plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (plugin == NULL) {
      puts(dlerror());
      return 1;
    }
    int (*version)(void) = (int (*)(void))dlsym(plugin, "VersionOfPlugin");
    printf("; of the plugin: %d", version());
  }
  puts("");
  return 0;
}
