# For tests that read the machine code of fast paths; sourced by them.
#
# Ends the test where it has nothing to check.

if [[ $(uname -m) != x86_64 ]]; then
  echo "Nothing to check: this is not an x86-64 machine."
  exit 0
fi

# body LIBRARY NAME: the instructions of the functions whose names, written as in
# "<name>:", contain NAME, with the names that they refer to; not those of their cold parts.
body() {
  objdump --disassemble --reloc --no-show-raw-insn "$1" |
    awk -v name="$2" '/^[0-9a-f]+ <.*>:$/ { on = index($2, name) && !index($2, ".cold"); next }
                      /^$/ { on = 0 } on'
}

# Fences, read-modify-writes and allocations.  An xchg with memory locks without saying so.
unwanted='\<(lock|mfence|lfence|sfence)\>|\<xchg\>.*\(|_Znwm|_ZnwmSt11align_val_t|malloc'
