package main

import (
	"context"
	"sync"
	"time"

	"github.com/sethvargo/go-limiter/memorystore"
	"github.com/throttled/throttled/v2"
	gcra "github.com/throttled/throttled/v2/store/memstore"
	"github.com/ulule/limiter/v3"
	"github.com/ulule/limiter/v3/drivers/store/memory"
	"golang.org/x/time/rate"
)

// decision is what a limiter knows after it counted a request.
type decision struct {
	allowed          bool
	limit, remaining int
	reset            time.Time
	wait             time.Duration // how long until a request is accepted
}

type take func(key string) decision

// newLimiter makes the limiter of n requests in a window.
func newLimiter(n int, window time.Duration) take {
	switch {
	case is("sethvargo"):
		return sethvargo(n, window)
	case is("throttled-gcra"):
		return throttledGCRA(n, window)
	case is("token-bucket"):
		return tokenBucket(n, n, window)
	case is("token-bucket-of-a-quarter"):
		return tokenBucket(n, n/4, window)
	}
	return ulule(n, window)
}

// ulule/limiter: a fixed window that begins with the first request.
func ulule(n int, window time.Duration) take {
	one := limiter.New(memory.NewStore(), limiter.Rate{Period: window, Limit: int64(n)})
	return func(key string) decision {
		got, err := one.Get(context.Background(), key)
		if err != nil {
			panic(err)
		}
		reset := time.Unix(got.Reset, 0).Add(time.Second) // it rounds down, and a wait must not be too short
		return decision{!got.Reached, int(got.Limit), int(got.Remaining), reset, time.Until(reset)}
	}
}

// sethvargo/go-limiter: tokens that come back all at once at every interval after the first request.
func sethvargo(n int, window time.Duration) take {
	store, err := memorystore.New(&memorystore.Config{Tokens: uint64(n), Interval: window})
	if err != nil {
		panic(err)
	}
	return func(key string) decision {
		tokens, remaining, reset, ok, err := store.Take(context.Background(), key)
		if err != nil {
			panic(err)
		}
		at := time.Unix(0, int64(reset))
		return decision{ok, int(tokens), int(remaining), at, time.Until(at)}
	}
}

// throttled: GCRA with a burst of the limit.
func throttledGCRA(n int, window time.Duration) take {
	store, err := gcra.NewCtx(65536)
	if err != nil {
		panic(err)
	}
	quota := throttled.RateQuota{MaxRate: throttled.PerDuration(n, window), MaxBurst: n - 1}
	one, err := throttled.NewGCRARateLimiterCtx(store, quota)
	if err != nil {
		panic(err)
	}
	return func(key string) decision {
		limited, got, err := one.RateLimitCtx(context.Background(), key, 1)
		if err != nil {
			panic(err)
		}
		return decision{!limited, got.Limit, got.Remaining, time.Now().Add(got.ResetAfter), got.RetryAfter}
	}
}

// golang.org/x/time/rate: a bucket that is refilled one by one. Reset is the time when it is full.
func tokenBucket(n, burst int, window time.Duration) take {
	perSecond := rate.Limit(float64(n) / window.Seconds())
	var guard sync.Mutex
	buckets := map[string]*rate.Limiter{}
	return func(key string) decision {
		guard.Lock()
		defer guard.Unlock()
		if buckets[key] == nil {
			buckets[key] = rate.NewLimiter(perSecond, burst)
		}
		now := time.Now()
		allowed := buckets[key].AllowN(now, 1)
		tokens := buckets[key].TokensAt(now)
		full := now.Add(time.Duration((float64(burst) - tokens) / float64(perSecond) * float64(time.Second)))
		wait := time.Duration((1 - tokens) / float64(perSecond) * float64(time.Second))
		return decision{allowed, n, int(tokens), full, wait}
	}
}
