# JSON (RFC 8259) as typed values: {string BYTES}, {number TEXT}, {bool 0|1}, {null}, {array VALUES}, {object {NAME VALUE …}}.
# Texts stay bytes of UTF-8, because a Tcl 8.6 string holds no character beyond the basic plane.
namespace eval json {}

proc json::parse {text} {
  set at 0
  set value [json::value $text at]
  json::blank $text at
  if {$at != [string length $text] && ![broken "text-after-json"]} { error "text after the JSON" }
  return $value
}

proc json::blank {text atName} {
  upvar $atName at
  regexp -indices -start $at {\A[ \t\r\n]*} $text found
  set at [expr {[lindex $found 1] + 1}]
}

proc json::token {text atName pattern} {
  upvar $atName at
  if {![regexp -start $at "\\A(?:$pattern)" $text found]} { return "" }
  incr at [string length $found]
  return $found
}

proc json::value {text atName {depth 0}} {
  upvar $atName at
  if {$depth > 100} { error "too deep" }
  json::blank $text at
  switch -- [string index $text $at] {
    "\{" { return [json::members $text at $depth] }
    "\[" { return [json::items $text at $depth] }
    "\"" { return [list string [json::text $text at]] }
  }
  set number [json::token $text at {-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?}]
  if {$number ne ""} { return [list number $number] }
  foreach {word value} {true {bool 1} false {bool 0} null null} {
    if {[json::token $text at $word] ne ""} { return $value }
  }
  error "no value at $at"
}

proc json::members {text atName depth} {
  upvar $atName at
  incr at
  set all [dict create]
  json::blank $text at
  if {[json::token $text at "\\\}"] ne ""} { return [list object $all] }
  while 1 {
    json::blank $text at
    if {[string index $text $at] ne "\""} { error "no name at $at" }
    set name [json::text $text at]
    json::blank $text at
    if {[json::token $text at :] eq ""} { error "no colon at $at" }
    dict set all $name [json::value $text at [expr {$depth + 1}]]
    json::blank $text at
    if {[json::token $text at "\\\}"] ne ""} { return [list object $all] }
    if {[json::token $text at ,] eq ""} { error "no comma at $at" }
  }
}

proc json::items {text atName depth} {
  upvar $atName at
  incr at
  set all {}
  json::blank $text at
  if {[json::token $text at {\]}] ne ""} { return [list array $all] }
  while 1 {
    lappend all [json::value $text at [expr {$depth + 1}]]
    json::blank $text at
    if {[json::token $text at {\]}] ne ""} { return [list array $all] }
    if {[json::token $text at ,] eq ""} { error "no comma at $at" }
  }
}

proc json::text {text atName} {
  upvar $atName at
  if {![regexp -start $at {\A"((?:[^"\\\x00-\x1f]|\\.)*)"} $text whole inner]} { error "no text at $at" }
  incr at [string length $whole]
  if {[string first \\ $inner] < 0} { return $inner }
  set out ""
  set i 0
  while {$i < [string length $inner]} {
    set c [string index $inner $i]
    if {$c ne "\\"} { append out $c; incr i; continue }
    set e [string index $inner [expr {$i + 1}]]
    incr i 2
    if {$e eq "u"} {
      if {![regexp -start $i {\A[0-9a-fA-F]{4}} $inner hex]} { error "bad escape" }
      scan $hex %x code
      incr i 4
      if {$code >= 0xD800 && $code < 0xDC00 && [regexp -start $i {\A\\u([dD][c-fC-F][0-9a-fA-F]{2})} $inner pair low]} {
        scan $low %x second
        incr i [string length $pair]
        set code [expr {0x10000 + (($code - 0xD800) << 10) + $second - 0xDC00}]
      }
      append out [json::utf8 $code]
      continue
    }
    if {![dict exists {\" \" \\ \\ / / b \b f \f n \n r \r t \t} $e]} { error "bad escape" }
    append out [dict get {\" \" \\ \\ / / b \b f \f n \n r \r t \t} $e]
  }
  return $out
}

proc json::utf8 {code} {
  if {$code < 0x80} { return [format %c $code] }
  if {$code < 0x800} { return [binary format cc [expr {0xC0 | $code >> 6}] [expr {0x80 | $code & 63}]] }
  if {$code < 0x10000} {
    return [binary format ccc [expr {0xE0 | $code >> 12}] [expr {0x80 | $code >> 6 & 63}] [expr {0x80 | $code & 63}]]
  }
  return [binary format cccc [expr {0xF0 | $code >> 18}] [expr {0x80 | $code >> 12 & 63}] [expr {0x80 | $code >> 6 & 63}] [expr {0x80 | $code & 63}]]
}

# A JSON text of bytes of UTF-8.
proc json::quote {bytes} {
  set map [list \" \\\" \\ \\\\]
  if {[broken "solidus-escaped"]} { lappend map / \\/ }
  for {set i 0} {$i < 32} {incr i} { lappend map [format %c $i] [format \\u%04x $i] }
  set out [string map $map $bytes]
  if {![broken "ascii-only" "everything-escaped"]} { return "\"$out\"" }
  set escaped ""
  set i 0
  set n [string length $out]
  while {$i < $n} {
    scan [string index $out $i] %c c
    if {$c < 0x80} {
      if {[broken "everything-escaped"] && [string is alpha [string index $out $i]] && [string index $out [expr {$i - 1}]] ne "\\"
          && ![regexp {\\u[0-9a-f]{0,3}$} [string range $out [expr {max(0, $i - 5)}] [expr {$i - 1}]]]} {
        append escaped [format \\u%04X $c]
      } else { append escaped [string index $out $i] }
      incr i
      continue
    }
    set more [expr {$c >= 0xF0 ? 3 : $c >= 0xE0 ? 2 : 1}]
    set code [expr {$c & (0x3F >> $more)}]
    for {set k 1} {$k <= $more} {incr k} {
      scan [string index $out [expr {$i + $k}]] %c d
      set code [expr {$code << 6 | ($d & 63)}]
    }
    incr i [expr {$more + 1}]
    if {$code >= 0x10000} {
      incr code -0x10000
      append escaped [format \\u%04x [expr {0xD800 + ($code >> 10)}]] [format \\u%04x [expr {0xDC00 + ($code & 0x3FF)}]]
    } else { append escaped [format \\u%04x $code] }
  }
  return "\"$escaped\""
}
