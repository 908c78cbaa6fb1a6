# Limiters: each returns {accepted remaining seconds-until-reset seconds-until-retry} and counts the request if `count`.
# Times are seconds with a fraction.
proc now {} { expr {[clock microseconds] / 1e6} }

set counters [dict create]
proc state {who name default} {
  global counters
  if {[dict exists $counters $who $name]} { return [dict get $counters $who $name] }
  return $default
}
proc keep {who args} {
  global counters
  foreach {name value} $args { dict set counters $who $name $value }
}

proc windowStart {who window at} {
  if {[broken "aligned-window"]} { return [expr {floor($at / $window) * $window}] }
  set start [state $who start $at]
  if {$at >= $start + $window} { return $at }
  return $start
}

proc fixed {who limit window at count} {
  set start [windowStart $who $window $at]
  set used [expr {$start == [state $who start -1] ? [state $who used 0] : 0}]
  set left [expr {$start + $window - $at}]
  if {$used >= $limit} {
    if {[broken "over-limit-extends"]} { keep $who start $at; set left $window }
    return [list 0 0 $left $left]
  }
  keep $who start $start used [expr {$used + $count}]
  return [list 1 [expr {$limit - $used - $count}] $left $left]
}

proc slidingLog {who limit window at count} {
  set log [state $who log {}]
  while {[llength $log] && [lindex $log 0] <= $at - $window} { set log [lrange $log 1 end] }
  set used [llength $log]
  if {$used >= $limit} {
    keep $who log $log
    set wait [expr {[lindex $log 0] + $window - $at}]
    return [list 0 0 $wait $wait]
  }
  if {$count} { lappend log $at }
  keep $who log $log
  return [list 1 [expr {$limit - $used - $count}] [expr {[lindex $log 0] eq "" ? $window : [lindex $log 0] + $window - $at}] 0]
}

proc slidingCounter {who limit window at count} {
  set n [expr {floor($at / $window)}]
  set last [state $who n -9]
  set cur [expr {$last == $n ? [state $who cur 0] : 0}]
  set prev [expr {$last == $n ? [state $who prev 0] : $last == $n - 1 ? [state $who cur 0] : 0}]
  set f [expr {$at / $window - $n}]
  set used [expr {$prev * (1 - $f) + $cur}]
  set left [expr {(1 - $f) * $window}]
  keep $who n $n cur $cur prev $prev
  if {$used + 1 > $limit} {
    set wait $left
    if {$prev > 0 && $cur + 1 <= $limit} { set wait [expr {max(0.0, (1 - ($limit - 1.0 - $cur) / $prev) * $window - $f * $window)}] }
    if {[broken "retry-after-whole-window"]} { set wait $window }
    return [list 0 0 $left $wait]
  }
  keep $who cur [expr {$cur + $count}]
  return [list 1 [expr {int(floor($limit - $used - $count))}] $left 0]
}

# A leaky bucket as a meter, which is GCRA with a burst.
proc bucket {who limit window at count burst} {
  set rate [expr {double($limit) / $window}]
  set level [expr {max(0.0, [state $who level 0.0] - ($at - [state $who at $at]) * $rate)}]
  if {$level + 1 > $burst + 1e-9} {
    keep $who level $level at $at
    return [list 0 0 [expr {$level / $rate}] [expr {($level + 1 - $burst) / $rate}]]
  }
  set level [expr {$level + $count}]
  keep $who level $level at $at
  return [list 1 [expr {int(floor($burst - $level + 1e-9))}] [expr {$level / $rate}] 0]
}

proc limiter {who limit window at count} {
  if {[broken "sliding-log"]} { return [slidingLog $who $limit $window $at $count] }
  if {[broken "sliding-counter"]} { return [slidingCounter $who $limit $window $at $count] }
  if {[broken "meter"]} { return [bucket $who $limit $window $at $count $limit] }
  if {[broken "meter-of-ten"]} { return [bucket $who $limit $window $at $count 10] }
  if {[broken "meter-of-one"]} { return [bucket $who $limit $window $at $count 1] }
  if {[broken "meter-of-half"]} { return [bucket $who $limit $window $at $count [expr {$limit / 2}]] }
  return [fixed $who $limit $window $at $count]
}
