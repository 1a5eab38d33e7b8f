#!/bin/sh
# Prints the manual page of the noisec given, made of its own help texts, so that it tells what that noisec can do:
#   manual.sh NOISEC VERSION > noisec.1
# In help texts a line that begins with "usage:" is a synopsis, two blanks and a dash begin an option, whose text goes
# on in lines indented deeper, and other lines behind two blanks are examples.
set -eu
noisec=$1 version=$2

convert() {
	awk '
	function quote(s) { gsub(/\\/, "\\e", s); return s }
	function dashes(s) { s = quote(s); gsub(/-/, "\\-", s); return s }
	function text(s) { s = quote(s); if (s ~ /^[.\047]/) s = "\\&" s; print s }
	function leave() { if (example) print ".EE\n.RE"; example = 0 }
	skipping { if ($0 == "") skipping = 0; next }
	/^verbs:/ { skipping = 1; next }                        # they have sections of their own
	/^usage: / { leave(); print ".PP\n.nf\n.B " dashes(substr($0, 8)) "\n.fi"; option = 0; next }
	/^$/ { if (example) { blank = 1 } else { option = 0; gap = 1 } next }
	/^  -/ {
		leave(); gap = 0
		line = substr($0, 3)
		at = match(line, /   */)
		print ".TP"
		if (at) { print "\\fB" dashes(substr(line, 1, at - 1)) "\\fR"; text(substr(line, at + RLENGTH)) }
		else print "\\fB" dashes(line) "\\fR"
		option = 1; next
	}
	/^      / && option { sub(/^ */, ""); text($0); next }
	/^  / {
		if (!example) { print ".PP\n.RS 4\n.EX"; example = 1; blank = 0 }
		if (blank) print ""
		blank = 0; option = 0; gap = 0
		s = dashes(substr($0, 3)); if (s ~ /^[.\047]/) s = "\\&" s
		print s; next
	}
	{
		if (example || gap || option) { leave(); print ".PP" }
		gap = option = blank = 0
		text($0)
	}
	END { leave() }'
}

printf '.\\" Made of the help of noisec by manual.sh.\n'
printf '.TH NOISEC 1 "" "noisec %s" "User commands"\n' "$version"
printf '.SH NAME\nnoisec \\- compiles procedural noise to shaders and for the CPU\n'
printf '.SH DESCRIPTION\n'
"$noisec" --help | convert
printf '.SH VERBS\n'
"$noisec" --help | sed -n '/^verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p' | while read -r verb; do
	[ "$verb" != help ] || continue
	printf '.SS %s\n' "$verb"
	"$noisec" "$verb" --help </dev/null | convert
done
printf '.SH SEE ALSO\n'
printf 'The headers\n.IR noisert.h ,\nwhich evaluates compiled programs, and\n.IR noisec.h ,\nthe compiler as a library;\n'
printf '.BR pkg-config (1)\nand CMake know them as noisert and noisec.\n'
