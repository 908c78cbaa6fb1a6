# HTTP/1.1 over sockets.
set phrases {200 OK 201 Created 400 {Bad Request} 401 Unauthorized 404 {Not Found} 405 {Method Not Allowed} 409 Conflict 429 {Too Many Requests}}

proc accept {socket address port} {
  fconfigure $socket -blocking 0 -translation binary -buffering none
  set ::input($socket) ""
  fileevent $socket readable [list receive $socket]
}

proc done {socket} {
  # The name of a closed socket is used again, so its timer must not outlive it.
  after cancel [list idle $socket]
  catch { close $socket }
  unset -nocomplain ::input($socket) ::busy($socket) ::continued($socket)
}

proc receive {socket} {
  if {[catch { append ::input($socket) [read $socket] }] || [eof $socket]} { return [done $socket] }
  serve $socket
}

proc serve {socket} {
  if {![info exists ::input($socket)] || [info exists ::busy($socket)]} return
  set end [string first "\r\n\r\n" $::input($socket)]
  if {$end < 0} return
  set lines [split [string map {\r\n \n} [string range $::input($socket) 0 $end-1]] \n]
  lassign [split [lindex $lines 0] " "] method target version
  if {![regexp {^[A-Z]+$} $method]} {
    catch { puts -nonewline $socket "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n" }
    return [done $socket]
  }
  set headers [dict create]
  foreach line [lrange $lines 1 end] {
    if {[regexp {^([^:]+):\s*(.*?)\s*$} $line all name value]} {
      set name [string tolower $name]
      if {[dict exists $headers $name] && $name eq "authorization"} { set value "[dict get $headers $name], $value" }
      dict set headers $name $value
    }
  }
  set start [expr {$end + 4}]
  set length [expr {[dict exists $headers content-length] ? [dict get $headers content-length] : 0}]
  set have [expr {[string length $::input($socket)] - $start}]
  if {$have < $length} {
    if {[dict exists $headers expect] && ![info exists ::continued($socket)]} { set ::continued($socket) 1; puts -nonewline $socket "HTTP/1.1 100 Continue\r\n\r\n" }
    return
  }
  unset -nocomplain ::continued($socket)
  set body [string range $::input($socket) $start [expr {$start + $length - 1}]]
  if {[broken "body-left-unread"] && [keyOf $headers] eq ""} { set length 0 }
  set ::input($socket) [string range $::input($socket) [expr {$start + $length}] end]
  set path [lindex [split $target ?] 0]
  set ::busy($socket) 1
  set close [expr {$version eq "HTTP/1.0" || [dict exists $headers connection] && [string tolower [dict get $headers connection]] eq "close"}]
  if {[broken "slow-list"] && $method eq "GET" && $path eq "/v1/categories"} {
    after 300 [list handle $socket $method $path $headers $body $close]
  } elseif {[broken "jittered-latency"]} {
    after [expr {int(rand() * 60)}] [list handle $socket $method $path $headers $body $close]
  } else { handle $socket $method $path $headers $body $close }
}

proc handle {socket method path headers body close} {
  if {[catch { answer $method $path $headers $body } response]} {
    puts stderr $::errorInfo
    set response [list 500 "{}" {}]
  }
  lassign $response status text more
  if {[broken "closed-always" "http-1.0" "ends-with-connection"] || [broken "closed-on-errors"] && $status >= 400 || [broken "closed-on-429"] && $status == 429} { set close 1 }
  if {[broken "newline-at-end"] && $text ne ""} { append text \n }
  if {[broken "nul-at-end"] && $text ne ""} { append text \0 }
  set version [expr {[broken "http-1.0"] ? "HTTP/1.0" : "HTTP/1.1"}]
  set phrase [expr {[broken "no-phrase"] ? "" : [broken "own-phrases"] ? "Nope, sorry (see docs)" : [dict exists $::phrases $status] ? [dict get $::phrases $status] : "Error"}]
  set out {}
  if {![broken "no-date"] && !([broken "no-date-on-429"] && $status == 429)} {
    lappend out Date [httpDate [expr {[now] + [skew]}]]
  }
  if {$text ne ""} { lappend out Content-Type [contentType] }
  set out [concat $out $more]
  if {$close} { lappend out Connection close } elseif {[broken "keep-alive-of-a-second"]} { lappend out Connection Keep-Alive Keep-Alive timeout=1,max=3 }
  set size [string length $text]
  if {[broken "length-in-characters"]} { set size [string length [encoding convertfrom utf-8 $text]] }
  if {[broken "chunked"]} { lappend out Transfer-Encoding chunked } elseif {![broken "ends-with-connection"]} { lappend out Content-Length $size }
  set head "$version $status $phrase\r\n"
  foreach {name value} $out {
    if {[broken "upper-case-names"]} { set name [string toupper $name] }
    if {[broken "lower-case-names"]} { set name [string tolower $name] }
    set blank [expr {[broken "no-blank-after-colon"] ? "" : " "}]
    append head "$name:$blank$value\r\n"
  }
  if {[broken "long-headers"]} { append head "X-Trace: [string repeat abcdefgh 700]\r\n" }
  append head \r\n
  if {$method eq "HEAD"} { set text "" }
  if {[broken "chunked"] && $method ne "HEAD"} {
    set half [expr {[string length $text] / 2}]
    set chunks ""
    foreach part [list [string range $text 0 $half-1] [string range $text $half end]] {
      if {$part ne ""} { append chunks "[format %X [string length $part]];ext=\"a b\"\r\n$part\r\n" }
    }
    set text "${chunks}0\r\nX-Checksum: 5\r\n\r\n"
  }
  if {[broken "interim-102"]} { set head "HTTP/1.1 102 Processing\r\n\r\n$head" }
  if {[broken "trickled"]} { return [trickle $socket $head$text $close] }
  if {[broken "head-before-body"]} {
    catch { puts -nonewline $socket $head; flush $socket }
    after 15 [list finish $socket $text $close]
    return
  }
  finish $socket $head$text $close
}

proc trickle {socket bytes close} {
  set part [expr {[string length $bytes] / 4 + 1}]
  if {[string length $bytes] <= 8 || [catch { puts -nonewline $socket [string range $bytes 0 $part-1] }]} { return [finish $socket $bytes $close] }
  after 3 [list trickle $socket [string range $bytes $part end] $close]
}

proc finish {socket bytes close} {
  if {[catch { puts -nonewline $socket $bytes }]} { return [done $socket] }
  fconfigure $socket -blocking 1
  catch { flush $socket }
  catch { fconfigure $socket -blocking 0 }
  if {$close} { return [done $socket] }
  unset -nocomplain ::busy($socket)
  if {[broken "keep-alive-of-a-second"]} {
    after cancel [list idle $socket]
    after 1000 [list idle $socket]
  }
  if {[string length $::input($socket)]} { after idle [list serve $socket] }
}

proc idle {socket} { if {[info exists ::input($socket)] && ![info exists ::busy($socket)]} { done $socket } }

proc contentType {} {
  if {[broken "type-with-charset"]} { return "application/json; charset=utf-8" }
  if {[broken "type-with-parameters"]} { return {Application/JSON ; profile="https://example.com/a;b,c"; v=1} }
  return application/json
}

socket -server accept -myaddr 127.0.0.1 $env(PORT)
vwait forever
