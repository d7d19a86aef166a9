// Sets macros aside that other libraries leave defined, and whose names are used in these
// headers: Qt's keywords, and X11's constants. No include guard: each header begins with
// this one and ends with _foreign_macros_end.h, which brings them back.
#pragma push_macro("slots")
#pragma push_macro("signals")
#pragma push_macro("emit")
#pragma push_macro("Expose")
#pragma push_macro("Below")
#pragma push_macro("near")
#undef slots
#undef signals
#undef emit
#undef Expose
#undef Below
#undef near
