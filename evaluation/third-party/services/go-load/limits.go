package main

import (
	"math"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

func seconds(name string) time.Duration { return time.Duration(number(name)) * time.Second }

// What one caller has used: a log of the accepted requests of a minute, and a count of the day.
type account struct {
	sync.Mutex
	key          string
	perMinute    int
	log          []time.Time
	today        int
	dayEnds      time.Time
	beyond       int
	limitedOnce  bool
	mayReturn    time.Time
	blockedUntil time.Time
	banned       bool
}

// What a limiter decided. quota is the limit that the headers show.
type decision struct {
	status           int
	quota, remaining int
	reset            time.Time
}

var (
	accounts = sync.Map{}
	bansAll  sync.Map // non-empty after a ban that spreads
	// The keys of a larger plan.
	largerKeys = strings.Split(os.Getenv("LARGER_KEYS"), ",")
	blockedBy  sync.Map // the key that exceeded its limit first, and until when it blocks the others
)

type block struct {
	key   string
	until time.Time
}

func accountOf(key string) *account {
	if is("counter-shared-by-keys") {
		key = "everybody"
	}
	most := perMinute
	if slices.Contains(largerKeys, key) {
		most = number("LARGER_PER_MINUTE")
	}
	found, _ := accounts.LoadOrStore(key, &account{key: key, perMinute: most})
	return found.(*account)
}

// How many requests of a minute are accepted; the headers always show a.perMinute.
func (a *account) allowed() int {
	windows := int(time.Since(started) / minute)
	switch {
	case is("plans-mixed-up"):
		return perMinute
	case is("doubled-limit"):
		return 2 * a.perMinute
	case is("one-too-many"):
		return a.perMinute + 1
	case is("one-too-few"):
		return a.perMinute - 1
	case is("half-in-second-window") && windows > 0, is("half-quota-after-429") && a.limitedOnce:
		return a.perMinute / 2
	case is("limit-erodes"):
		return max(1, a.perMinute-2*windows)
	}
	return a.perMinute
}

func (a *account) recent(now time.Time) []time.Time {
	first := 0
	for first < len(a.log) && !a.log[first].After(now.Add(-minute)) {
		first++
	}
	return append([]time.Time{}, a.log[first:]...)
}

// Counts a request and decides. A sliding log: rejected requests are not logged.
func (a *account) take(creation bool) decision {
	a.Lock()
	defer a.Unlock()
	now := time.Now()
	if now.After(a.dayEnds) {
		a.today, a.dayEnds = 0, now.Add(day)
	}
	a.log = a.recent(now)
	if instead, yes := a.banOrBlock(now); yes {
		return instead
	}
	if a.today >= perDay && !is("day-not-enforced") || is("day-too-small") && a.today >= perDay*9/10 {
		return decision{429, perDay, 0, a.dayEnds}
	}
	if len(a.log) >= a.allowed() {
		return a.exceeded(now)
	}
	a.today++
	a.count(now, creation)
	remaining := max(0, a.perMinute-len(a.log))
	if is("counter-drift") {
		remaining = min(a.perMinute, remaining+int(time.Since(started)/minute)*3/2)
	}
	return decision{200, a.perMinute, remaining, a.returns(now)}
}

func (a *account) count(now time.Time, creation bool) {
	switch {
	case is("creations-not-counted") && creation, is("tenth-not-counted") && a.today%10 == 0:
		return
	case is("lost-updates"): // read, then written without regard to what others wrote meanwhile
		before := append([]time.Time{}, a.log...)
		a.Unlock()
		time.Sleep(5 * time.Millisecond)
		a.Lock()
		a.log = append(before, now)
		return
	case is("counted-twice-under-load") && above():
		a.log = append(a.log, now)
	}
	a.log = append(a.log, now)
}

// When the next request is accepted at the latest: so many of the oldest have left the log by then.
func (a *account) returns(now time.Time) time.Time {
	if len(a.log) == 0 {
		return now.Add(minute)
	}
	return a.log[max(0, len(a.log)-a.allowed())].Add(minute)
}

func (a *account) exceeded(now time.Time) decision {
	until := a.returns(now)
	a.beyond++
	if !a.limitedOnce && is("not-back-after-retry-after") {
		a.blockedUntil = until.Add(2*until.Sub(now) + 3*time.Second)
	}
	a.limitedOnce, a.mayReturn = true, until
	blockedBy.LoadOrStore("first", block{a.key, until})
	noteExcess()
	return decision{429, a.perMinute, 0, until}
}

// Bans and blocks, which come before the count.
func (a *account) banOrBlock(now time.Time) (decision, bool) {
	offends := a.beyond > 10
	if offends && (is("ban-without-end") || is("ban-outlasts-retry-after")) || is("banned-although-waited") && a.limitedOnce && now.After(a.mayReturn) {
		a.banned = true
	}
	if offends && (is("ban-hits-everybody") || is("ban-as-429-hits-everybody")) {
		bansAll.Store("from", now)
	}
	_, everybody := bansAll.Load("from")
	if first, yes := blockedBy.Load("first"); yes && is("plan-exhausts-others") {
		if by := first.(block); by.key != a.key && now.Before(by.until) {
			return decision{429, a.perMinute, 0, by.until}, true
		}
	}
	if offends && is("ban-temporary") {
		a.beyond, a.blockedUntil = 0, now.Add(minute)
	}
	switch {
	case a.banned, everybody && is("ban-hits-everybody"):
		return decision{403, a.perMinute, 0, now.Add(minute)}, true
	case everybody:
		return decision{429, a.perMinute, 0, now.Add(minute)}, true
	case now.Before(a.blockedUntil) && is("ban-temporary"):
		return decision{429, a.perMinute, 0, a.blockedUntil}, true
	case now.Before(a.blockedUntil):
		return decision{429, a.perMinute, 0, now.Add(time.Second)}, true
	}
	return decision{}, false
}

func limited(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := caller(r)
		decided := decision{200, perMinute, perMinute, time.Now().Add(minute)}
		if key != "" {
			decided = accountOf(key).take(r.Method == "POST")
		}
		if !(is("headers-missing-under-load") && above()) {
			w.Header().Set("X-RateLimit-Limit", strconv.Itoa(decided.quota))
			w.Header().Set("X-RateLimit-Remaining", strconv.Itoa(decided.remaining))
			w.Header().Set("X-RateLimit-Reset", strconv.Itoa(int(math.Ceil(float64(decided.reset.UnixMilli())/1000))))
		}
		switch {
		case key == "":
			w.Header().Set("WWW-Authenticate", "Bearer")
			fail(w, 401, "unauthorized", "The API key is missing or invalid.")
		case decided.status == 429:
			if !(is("retry-after-missing-under-load") && above() || is("day-retry-after-missing") && decided.quota == perDay) {
				wait := int(math.Ceil(time.Until(decided.reset).Seconds()))
				w.Header().Set("Retry-After", strconv.Itoa(max(1, wait)))
			}
			fail(w, 429, "rate_limited", "Too many requests.")
		case decided.status == 403:
			if is("ban-outlasts-retry-after") {
				w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(minute.Seconds()/2))))
			}
			fail(w, 403, "banned", "This key is banned.")
		default:
			next.ServeHTTP(w, r)
		}
	})
}
