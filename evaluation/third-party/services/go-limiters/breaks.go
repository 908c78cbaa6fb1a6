package main

import (
	"net/http"
	"strconv"
	"sync"
	"time"
)

// countedFor is what a request counts for: its key, or its address where it has none.
func countedFor(r *http.Request, key string) string {
	switch {
	case is("remote-addr-with-port"):
		return r.RemoteAddr
	case is("user-agent-in-the-key"):
		return key + r.UserAgent()
	case is("truncated-authorization"):
		return r.Header.Get("Authorization")[:min(16, len(r.Header.Get("Authorization")))]
	case is("query-in-the-key"):
		return key + r.URL.RequestURI()
	case is("content-length-in-the-key"):
		return key + strconv.FormatInt(r.ContentLength, 10)
	case key == "":
		return "anonymous " + r.RemoteAddr[:len("127.0.0.1")]
	}
	return key
}

func retryAfter(one decision) string {
	at := time.Now().Add(one.wait)
	switch {
	case is("retry-after-half"):
		return strconv.Itoa(ceil(one.wait) / 2)
	case is("retry-after-zero"):
		return "0"
	case is("retry-after-milliseconds"):
		return strconv.Itoa(int(one.wait.Milliseconds()))
	case is("retry-after-duration-number"):
		return strconv.FormatInt(int64(one.wait), 10)
	case is("retry-after-unix-time"):
		return strconv.FormatInt(at.Unix()+1, 10)
	case is("retry-after-local-date-as-gmt"):
		return at.Add(time.Hour).UTC().Format(http.TimeFormat)
	case is("retry-after-local-date-behind"):
		return at.Add(-5 * time.Hour).UTC().Format(http.TimeFormat)
	case is("retry-after-rfc3339"):
		return at.UTC().Format(time.RFC3339)
	case is("retry-after-as-date"):
		return at.Add(time.Second).UTC().Format(http.TimeFormat)
	}
	return strconv.Itoa(ceil(one.wait))
}

func spoil(h http.Header, one decision) {
	limit, remaining := strconv.Itoa(one.limit), strconv.Itoa(one.remaining)
	switch {
	case is("limit-with-policy"):
		h.Set("X-RateLimit-Limit", limit+", "+limit+";w=60")
	case is("headers-as-floats"):
		h.Set("X-RateLimit-Remaining", remaining+".0")
	case is("headers-added-twice"):
		h.Add("X-RateLimit-Remaining", strconv.Itoa(max(0, one.remaining-1)))
	case is("headers-added-twice-the-same"):
		h.Add("X-RateLimit-Remaining", remaining)
	case is("reset-as-http-date"):
		h.Set("X-RateLimit-Reset", one.reset.UTC().Format(http.TimeFormat))
	case is("reset-in-nanoseconds"):
		h.Set("X-RateLimit-Reset", strconv.FormatInt(one.reset.UnixNano(), 10))
	case is("remaining-underflows") && !one.allowed:
		h.Set("X-RateLimit-Remaining", "18446744073709551615")
	case is("remaining-by-tens"):
		h.Set("X-RateLimit-Remaining", strconv.Itoa(one.remaining/10*10))
	case is("remaining-in-percent"):
		h.Set("X-RateLimit-Remaining", strconv.Itoa(one.remaining*100/one.limit))
	case is("limit-of-pro"):
		h.Set("X-RateLimit-Limit", "300")
	case is("limit-per-second"):
		h.Set("X-RateLimit-Limit", "1")
	case is("headers-not-on-429") && !one.allowed:
		for _, name := range []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} {
			h.Del(name)
		}
	}
}

// getThenSet reads a count and writes it back after the latency of a store.
func getThenSet(n int, window time.Duration) take {
	type counted struct {
		count int
		until time.Time
	}
	var store sync.Map
	return func(key string) decision {
		found, _ := store.Load(key)
		one, _ := found.(counted)
		if time.Now().After(one.until) {
			one = counted{0, time.Now().Add(window)}
		}
		time.Sleep(5 * time.Millisecond)
		allowed := one.count < n
		if allowed {
			one.count++
			store.Store(key, one)
		}
		return decision{allowed, n, n - one.count, one.until, time.Until(one.until)}
	}
}
