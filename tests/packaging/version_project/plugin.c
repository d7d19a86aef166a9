int TBB_runtime_interface_version(void);

int VersionOfPlugin(void) { return TBB_runtime_interface_version(); }
