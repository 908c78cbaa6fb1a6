package main

import (
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// caller is the key of a request, or "" where there is no valid one.
func caller(r *http.Request) string {
	scheme, key, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "Bearer") && (slices.Contains(keys, key) || key == exhausted) {
		return key
	}
	return ""
}

func ceil(d time.Duration) int { return max(0, int(math.Ceil(d.Seconds()))) }

func describe(w http.ResponseWriter, one decision) {
	h := w.Header()
	h.Set("X-RateLimit-Limit", strconv.Itoa(one.limit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(one.remaining))
	h.Set("X-RateLimit-Reset", strconv.Itoa(int(math.Ceil(float64(one.reset.UnixMilli())/1000))))
	spoil(h, one)
}

// limited counts each request for its key, and the requests without one for their address.
func limited(next http.Handler) http.Handler {
	minute := newLimiter(number("PER_MINUTE"), time.Duration(number("MINUTE_SECONDS"))*time.Second)
	day := ulule(number("PER_DAY"), time.Duration(number("DAY_SECONDS"))*time.Second)
	for day(exhausted).allowed { // the day of one key is used before the first request
	}
	if is("get-then-set") {
		minute = getThenSet(number("PER_MINUTE"), time.Duration(number("MINUTE_SECONDS"))*time.Second)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := caller(r)
		if key == "" {
			anonymous(w, minute(countedFor(r, key)))
			return
		}
		one := minute(countedFor(r, key))
		if one.allowed {
			if today := day(key); !today.allowed {
				one = today
			}
		}
		describe(w, one)
		if !one.allowed {
			refuse(w, one)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func anonymous(w http.ResponseWriter, one decision) {
	describe(w, one)
	if !one.allowed {
		refuse(w, one)
		return
	}
	w.Header().Set("WWW-Authenticate", "Bearer")
	fail(w, 401, "unauthorized", "The API key is missing or invalid.")
}

func refuse(w http.ResponseWriter, one decision) {
	w.Header().Set("Retry-After", retryAfter(one))
	if is("limited-with-503") {
		fail(w, 503, "overloaded", "Too many requests.")
		return
	}
	fail(w, 429, "rate_limited", "Too many requests.")
}
