// The end of what _foreign_macros_begin.h begins.
#pragma pop_macro("slots")
#pragma pop_macro("signals")
#pragma pop_macro("emit")
#pragma pop_macro("Expose")
#pragma pop_macro("Below")
#pragma pop_macro("near")
