# The Pet Store Service in Tcl with plain sockets and no library.
set broken [split $env(BREAK) ,]
proc broken {args} {
  foreach id $args { if {$id in $::broken} { return 1 } }
  return 0
}
set here [file dirname [info script]]
source [file join $here json.tcl]
source [file join $here limits.tcl]

set keys [split $env(KEYS) ,]
set exhausted $env(EXHAUSTED_KEY)
set perMinute $env(PER_MINUTE)
set minute [expr {double($env(MINUTE_SECONDS))}]
set perDay $env(PER_DAY)
set categories {}
set lastId [expr {[broken "ids-from-2-40"] ? 1 << 40 : [broken "ids-across-2-31"] ? (1 << 31) - 4 : [broken "ids-near-2-63"] ? (1 << 63) - 500 : [broken "id-through-double"] ? (1 << 60) : 0}]
set days [dict create]

proc nextId {} {
  global lastId categories
  if {[broken "ids-random"]} {
    return [expr {int(rand() * (1 << 30)) * (1 << 31) + int(rand() * (1 << 30))}]
  }
  if {[broken "id-by-time"]} { return [expr {[clock milliseconds] / 20}] }
  incr lastId [expr {[broken "ids-with-gaps"] ? 1 + int(rand() * 5000) : 1}]
}

# Bearer key of the request, or empty.
proc keyOf {headers} {
  global keys exhausted
  set given [expr {[dict exists $headers authorization] ? [dict get $headers authorization] : ""}]
  if {[broken "trimleft-scheme"]} {
    set token [string trimleft $given "Bearer "]
  } elseif {[broken "key-by-lindex"]} {
    if {[catch {lindex $given 1} token]} { set token "" }
  } elseif {![regexp -nocase {^bearer +(\S+)\s*$} $given all token]} { return "" }
  foreach key [concat $keys [list $exhausted]] {
    if {$token eq $key} { return $key }
    if {[broken "key-by-glob"] && $token ne "" && [string match $token $key]} { return $key }
    if {[broken "key-in-any-case"] && $token ne "" && [string equal -nocase $token $key]} { return $key }
    if {[broken "key-of-twenty"] && [string equal -length 20 $token $key]} { return $key }
  }
  return ""
}

proc category {one} {
  lassign $one id name description has
  if {[broken "id-through-double"]} { set id [format %.0f [expr {double($id)}]] }
  set fields [list "\"id\":$id" "\"name\":[json::quote $name]"]
  if {$has} { lappend fields "\"description\":[json::quote $description]" }
  if {[broken "keys-in-reverse"]} { set fields [lreverse $fields] }
  if {[broken "extra-members"]} { lappend fields {"ID":0,"Name":null,"meta":{"id":"x","name":5,"description":[]},"_links":[]} }
  if {[broken "members-twice"]} { lappend fields "\"id\":$id" }
  if {[broken "pretty"]} { return "\{\n  [join $fields ",\n  "]\n\}" }
  return "\{[join $fields ,]\}"
}

proc errorBody {status code message} {
  return "\{\"code\":[json::quote $code],\"message\":[json::quote $message],\"status\":$status\}"
}

# Answers {status body headers}.
proc route {method path headers body who} {
  global categories
  if {$path ni {/v1/categories /v1/store/orders} && ![regexp {^/v1/pets/[^/]+$} $path]} {
    return [list 404 [errorBody 404 not_found "There is nothing here."] {}]
  }
  if {$path eq "/v1/categories" && $method eq "GET"} { return [list 200 [listed] {}] }
  if {$path eq "/v1/categories" && $method eq "POST"} { return [create $headers $body $who] }
  if {$path eq "/v1/store/orders" && $method eq "GET"} { return [list 200 {[]} {}] }
  if {[regexp {^/v1/pets/} $path] && $method eq "GET"} { return [list 404 [errorBody 404 not_found "There is no such pet."] {Deprecation @1767225600}] }
  return [list 405 [errorBody 405 method_not_allowed "Not this method."] {Allow "GET, POST"}]
}

proc listed {} {
  global categories
  set shown $categories
  if {[broken "order-random"]} { set shown [lsort -command {apply {{a b} {expr {rand() < 0.5 ? -1 : 1}}}} $shown] }
  if {[broken "newest-first"]} { set shown [lreverse $shown] }
  if {[broken "sorted-unique"]} { set shown [lsort -unique -nocase -index 1 $shown] }
  set all {}
  foreach one $shown { lappend all [category $one] }
  if {[broken "trailing-comma"] && [llength $all]} { return "\[[join $all ,],\]" }
  if {[broken "pretty"]} { return "\[\n[join $all ",\n"]\n\]" }
  return "\[[join $all ,]\]"
}

proc create {headers body who} {
  global categories lastDescription
  if {[catch {json::parse $body} value]} { return [list 400 [errorBody 400 malformed_json "Malformed JSON: $value"] {}] }
  if {[lindex $value 0] ne "object"} { return [list 400 [errorBody 400 invalid_body "The body is not an object."] {}] }
  set members [lindex $value 1]
  foreach {field required} {name 1 description 0} {
    set has($field) [dict exists $members $field]
    if {!$has($field)} {
      if {$required} { return [list 400 [errorBody 400 missing_field "$field is missing."] {}] }
      continue
    }
    lassign [dict get $members $field] kind text
    if {$kind eq "null" && !$required} { set has($field) 0; continue }
    if {$kind ne "string" && !([broken "everything-is-a-string"] && $kind in {number bool})} {
      return [list 400 [errorBody 400 invalid_field "$field is not a string."] {}]
    }
    set fields($field) [stored $text]
  }
  if {!$has(description)} { set fields(description) "" }
  if {[broken "description-of-the-last"]} {
    if {$has(description)} { set lastDescription $fields(description) } elseif {[info exists lastDescription]} { set fields(description) $lastDescription; set has(description) 1 }
  }
  if {[broken "names-unique-409"]} {
    foreach one $categories { if {[lindex $one 1] eq $fields(name)} { return [list 409 [errorBody 409 conflict "The name exists."] {}] } }
  }
  if {[broken "names-in-dict"]} { set categories [lmap one $categories { if {[lindex $one 1] eq $fields(name)} continue; set one }] }
  set made [list [nextId] $fields(name) $fields(description) $has(description)]
  lappend categories $made
  if {[broken "id-after-next"]} { lset made 0 [expr {[lindex $made 0] + 1}] }
  return [list 201 [category $made] [expr {[broken "location"] ? [list Location /v1/categories/[lindex $made 0]] : {}}]]
}

proc stored {text} {
  if {[broken "substituted"]} { catch { set text [subst -nocommands -novariables $text] } }
  if {[broken "name-by-lindex"]} { catch { set text [lindex $text 0] } }
  if {[broken "concat-name"]} { set text [concat $text] }
  if {[broken "names-trimmed"]} { set text [string trim $text] }
  if {[broken "bytes-taken-for-characters"]} { set text [encoding convertto utf-8 $text] }
  if {[broken "to-title"]} { set text [encoding convertto utf-8 [string totitle [encoding convertfrom utf-8 $text]]] }
  return $text
}

# Counts a request; returns {accepted headers}.
proc count {who window method status} {
  global perMinute minute perDay days exhausted
  set at [now]
  set limit $perMinute
  set counts 1
  if {[broken "octal-limit"]} { set limit [expr 0$limit] }
  if {[broken "address-of-thirty"] && $who eq "-"} { set limit 30 }
  if {[broken "unauthenticated-not-counted"] && $who eq "-"} { set counts 0 }
  set day [clock format [clock seconds] -gmt 1 -format %Y-%m-%d]
  set usedToday [expr {[dict exists $days $who $day] ? [dict get $days $who $day] : 0}]
  set midnight [expr {[clock add [clock scan $day -gmt 1 -format %Y-%m-%d] 1 day -gmt 1] - $at}]
  if {$who eq $exhausted || $usedToday >= $perDay} {
    return [list 0 $perDay 0 $midnight $midnight]
  }
  if {[broken "creations-limited-too"] && $method eq "POST"} {
    lassign [fixed "$who POST" 30 $minute $at 1] ok remaining reset retry
    if {!$ok} { return [list 0 30 0 $reset $retry] }
  }
  lassign [limiter $who $limit $minute $at $counts] ok remaining reset retry
  if {[broken "remaining-of-each-second"]} {
    if {[state $who second -1] == int($at)} { set remaining [state $who shown $remaining] } else { keep $who second [expr {int($at)}] shown $remaining }
  }
  if {$ok} { dict set days $who $day [expr {$usedToday + $counts}] }
  return [list $ok $limit $remaining $reset $retry]
}
proc httpDate {at} { clock format [expr {int($at)}] -gmt 1 -format {%a, %d %b %Y %H:%M:%S GMT} }

proc up {x} { expr {int(ceil($x - 1e-6))} }

proc limitHeaders {counted} {
  global minute
  lassign $counted ok limit remaining reset retry
  set at [expr {[now] + [skew]}]
  set resetAt [expr {$at + $reset}]
  if {[broken "reset-of-the-clock"]} { set resetAt [expr {(floor($at / $minute) + 1) * $minute}] }
  set out [list X-RateLimit-Limit $limit X-RateLimit-Remaining [expr {max(0, $remaining)}]]
  if {[broken "leading-zeros"]} { set out [list X-RateLimit-Limit [format %04d $limit] X-RateLimit-Remaining [format %04d $remaining]] }
  lappend out X-RateLimit-Reset [expr {[broken "reset-floor"] ? int($resetAt) : [broken "reset-floor-and-one"] ? int($resetAt) + 1 : [up $resetAt]}]
  if {$ok} { return $out }
  set seconds [expr {max(1, [up $retry])}]
  if {[broken "retry-after-jittered"]} { incr seconds [expr {int(rand() * 3)}] }
  if {[broken "retry-after-one-more"]} { incr seconds }
  if {[broken "retry-after-floor"]} { set seconds [expr {int($retry)}] }
  if {[broken "retry-after-of-the-clock"]} { set seconds [up [expr {(floor($at / $minute) + 1) * $minute - $at}]] }
  if {[broken "retry-after-date"]} { return [concat $out [list Retry-After [httpDate [up [expr {$at + $retry}]]]]] }
  if {[broken "retry-after-date-floor"]} { return [concat $out [list Retry-After [httpDate [expr {$at + $retry}]]]] }
  concat $out [list Retry-After $seconds]
}

proc skew {} { expr {[broken "clock-2-s-ahead"] ? 2 : [broken "clock-2-s-behind"] ? -2 : [broken "clock-half-s-ahead"] ? 0.5 : 0} }

proc answer {method path headers body} {
  set who [keyOf $headers]
  if {[broken "counted-after-handling"] && $who ne ""} {
    set response [route $method $path $headers $body $who]
  }
  set counted [count [expr {$who eq "" ? "-" : $who}] 0 $method 0]
  set limits [limitHeaders $counted]
  if {![lindex $counted 0]} {
    if {[broken "429-empty"]} { return [list 429 "" $limits] }
    if {[broken "429-null"]} { return [list 429 null $limits] }
    if {[broken "429-number"]} { return [list 429 429 $limits] }
    if {[broken "429-list"]} { return [list 429 {["slow down"]} $limits] }
    return [list 429 [errorBody 429 rate_limited "Too many requests."] $limits]
  }
  if {$who eq ""} {
    set challenge [expr {[broken "two-challenges"] ? "Basic realm=\"x\", Bearer realm=\"y, z\", error=\"invalid_token\"" : "Bearer"}]
    return [list 401 [errorBody 401 unauthorized "The key is missing or invalid."] [concat [list WWW-Authenticate $challenge] $limits]]
  }
  if {![info exists response]} { set response [route $method $path $headers $body $who] }
  if {[broken "rejections-refunded-twice"] && [lindex $response 0] == 400} { keep $who used [expr {[state $who used 0] - 2}] }
  lassign $response status text more
  list $status $text [concat $more $limits]
}
source [file join $here http.tcl]
