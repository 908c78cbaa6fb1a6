package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"

	"github.com/go-chi/httprate"
)

func token(r *http.Request) string {
	scheme, key, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if is("any-scheme") || strings.EqualFold(scheme, "Bearer") {
		return key
	}
	if is("key-in-query") {
		return r.URL.Query().Get("api_key")
	}
	return ""
}

func caller(r *http.Request) string {
	given := token(r)
	for _, key := range append(keys, exhausted) {
		if given == key && key != "" ||
			is("key-by-prefix") && len(given) >= 8 && strings.HasPrefix(key, given) ||
			is("key-extended") && strings.HasPrefix(given, key) ||
			is("key-case-folded") && strings.EqualFold(given, key) {
			return key
		}
	}
	return ""
}

func authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		open := is("head-and-options-open") && (r.Method == "HEAD" || r.Method == "OPTIONS") ||
			is("reads-open") && r.Method == "GET" && strings.HasPrefix(r.URL.Path, "/v1/store")
		if caller(r) == "" && !open {
			w.Header().Set("WWW-Authenticate", "Bearer")
			fail(w, 401, "unauthorized", "The API key is missing or invalid.")
			return
		}
		next.ServeHTTP(w, r)
	})
}

func keyOf(r *http.Request) (string, error) {
	key := caller(r)
	switch {
	case key == "" || is("limit-by-address"):
		return httprate.KeyByIP(r)
	case is("limit-by-real-ip"):
		return httprate.KeyByRealIP(r)
	case is("limit-by-endpoint"):
		return key + r.URL.Path, nil
	case is("limit-by-method"):
		return key + r.Method, nil
	}
	return key, nil
}

func limits() (minute, day func(http.Handler) http.Handler) {
	onLimit := httprate.WithLimitHandler(func(w http.ResponseWriter, r *http.Request) {
		if is("retry-after-duration") {
			w.Header().Set("Retry-After", (time.Duration(number("MINUTE_SECONDS")) * time.Second).String())
		}
		fail(w, 429, "rate_limited", "Too many requests.")
	})
	limiter := func(n, seconds int) *httprate.RateLimiter {
		return httprate.NewRateLimiter(n, time.Duration(seconds)*time.Second, httprate.WithKeyFuncs(keyOf), onLimit)
	}
	perDay := limiter(number("PER_DAY"), number("DAY_SECONDS"))
	exhaust := sync.OnceFunc(func() { // the day of one key is used before the first request
		key, _ := httprate.JoinKeys(func(*http.Request) (string, error) { return exhausted, nil })(nil)
		for nothing := httptest.NewRecorder(); !perDay.OnLimit(nothing, httptest.NewRequest("GET", "/", nil), key); {
		}
	})
	perMinute := limiter(number("PER_MINUTE"), number("MINUTE_SECONDS"))
	return perMinute.Handler, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if is("day-not-enforced") {
				next.ServeHTTP(w, r)
				return
			}
			exhaust()
			perDay.Handler(next).ServeHTTP(w, r)
		})
	}
}
