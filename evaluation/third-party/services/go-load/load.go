package main

import (
	"net/http"
	"sync"
	"time"
)

var (
	started  time.Time // when the first request arrived
	loadMu   sync.Mutex
	arrivals []time.Time
	requests int
	// What a fault remembers: when the high rate was last seen, and which key exceeded its limit when.
	wasAbove bool
	excessAt time.Time
	offender string
)

// Whether more arrived within the last second than half as much again as one key may send.
func above() bool {
	loadMu.Lock()
	defer loadMu.Unlock()
	return isAbove()
}

func isAbove() bool {
	return float64(len(arrivals)) > 1.5*float64(perMinute)/minute.Seconds()
}

func noteExcess() {
	loadMu.Lock()
	defer loadMu.Unlock()
	excessAt = time.Now()
}

// What happens to a request before it is served: it is delayed, fails, or waits for ever.
type harm struct {
	delay  time.Duration
	status int
	hangs  bool
}

func arrive(key string) harm {
	loadMu.Lock()
	defer loadMu.Unlock()
	now := time.Now()
	if started.IsZero() {
		started = now
	}
	requests++
	arrivals = append(arrivals, now)
	for arrivals[0].Before(now.Add(-time.Second)) {
		arrivals = arrivals[1:]
	}
	wasAbove = wasAbove || isAbove()
	return harmOf(key, now)
}

func harmOf(key string, now time.Time) harm {
	elapsed := now.Sub(started)
	neighbour := offender != "" && key != offender
	switch {
	case is("neighbour-slowed") && neighbour && now.Sub(excessAt) < minute, is("neighbour-slowed-for-ever") && neighbour:
		return harm{delay: 600 * time.Millisecond}
	case is("latency-grows"):
		return harm{delay: elapsed / 20}
	case is("errors-grow") && elapsed > 6*minute && requests%4 == 0, is("crashes-under-load") && isAbove() && requests%5 == 0:
		return harm{status: 500}
	case is("no-recovery-after-spike") && wasAbove:
		return harm{delay: 900 * time.Millisecond}
	case is("slow-above-rate") && isAbove():
		return harm{delay: 1200 * time.Millisecond}
	case is("unavailable-above-rate") && isAbove():
		return harm{status: 503}
	case is("hangs-above-rate") && wasAbove:
		return harm{hangs: true}
	case is("always-slow"):
		return harm{delay: 300 * time.Millisecond}
	case is("pauses"): // as of a collector: a quarter of a second in every three
		if since := elapsed % (3 * time.Second); since < 250*time.Millisecond {
			return harm{delay: 250*time.Millisecond - since}
		}
	}
	return harm{}
}

// Notes who exceeded the limit, after the limiter has decided.
type statusOf struct {
	http.ResponseWriter
	key string
}

func (s statusOf) WriteHeader(status int) {
	if status == 429 {
		loadMu.Lock()
		if offender == "" {
			offender = s.key
		}
		loadMu.Unlock()
	}
	s.ResponseWriter.WriteHeader(status)
}

func underLoad(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := caller(r)
		does := arrive(key)
		time.Sleep(does.delay)
		switch {
		case does.hangs:
			<-r.Context().Done()
		case does.status != 0:
			fail(w, does.status, "unavailable", "The service failed.")
		default:
			next.ServeHTTP(statusOf{w, key}, r)
		}
	})
}
