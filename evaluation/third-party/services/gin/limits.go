package main

import (
	"math"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/didip/tollbooth/v7"
	"github.com/didip/tollbooth/v7/limiter"
	"github.com/gin-gonic/gin"
)

// limits is a token bucket of tollbooth for each key, which holds the limit of a minute, and a count for each day.
func limits() gin.HandlerFunc {
	perMinute, minute := number("PER_MINUTE"), float64(number("MINUTE_SECONDS"))
	rate := float64(perMinute) / minute
	burst := perMinute
	if broken("burst-as-shipped") {
		burst = int(math.Max(1, rate))
	}
	if broken("burst-of-ten") {
		burst = 10
	}
	ttl := time.Hour
	if broken("evicted-after-a-second") {
		ttl = time.Second
	}
	many := tollbooth.NewLimiter(rate, &limiter.ExpirableOptions{DefaultExpirationTTL: ttl}).SetBurst(burst)
	state := struct {
		sync.Mutex
		days  map[string]int
		since map[string]time.Time
		level map[string]float64
	}{days: map[string]int{os.Getenv("EXHAUSTED_KEY"): number("PER_DAY")}, since: map[string]time.Time{}, level: map[string]float64{}}
	return func(c *gin.Context) {
		who := key(c)
		if who == "" {
			who = c.RemoteIP()
		}
		if broken("keyed-by-path") {
			who += c.FullPath()
		}
		state.Lock()
		defer state.Unlock()
		now := time.Now()
		day := state.days[who] >= number("PER_DAY")
		refused := day || tollbooth.LimitByKeys(many, []string{who}) != nil
		tokens := 0.0
		if !day {
			tokens = float64(perMinute)
			if last, ok := state.since[who]; ok {
				tokens = math.Min(float64(burst), state.level[who]+now.Sub(last).Seconds()*rate)
			} else {
				tokens = float64(burst)
			}
			if !refused {
				tokens--
				state.days[who]++
			}
			state.since[who], state.level[who] = now, tokens
		}
		h := c.Writer.Header()
		full := (float64(burst) - tokens) / rate
		wait := math.Max(1, math.Ceil((1-tokens)/rate))
		if day {
			full, wait = 86400, 86400
		}
		limit := perMinute
		if day {
			limit = number("PER_DAY")
		}
		remaining := int(math.Max(0, math.Floor(tokens+1e-9)))
		if refused {
			remaining = 0
		}
		if broken("remaining-rounded") && !refused {
			remaining = int(math.Round(tokens/5) * 5)
		}
		h.Set("X-RateLimit-Limit", strconv.Itoa(limit))
		h.Set("X-RateLimit-Remaining", strconv.Itoa(remaining))
		reset := float64(now.UnixMicro())/1e6 + full
		h.Set("X-RateLimit-Reset", strconv.FormatInt(int64(math.Ceil(reset)), 10))
		if broken("reset-as-duration") {
			h.Set("X-RateLimit-Reset", (time.Duration(full * float64(time.Second))).String())
		}
		if broken("as-shipped-headers") {
			h.Del("X-RateLimit-Reset")
			h.Set("X-Rate-Limit-Duration", "1")
		}
		if !refused {
			return
		}
		h.Set("Retry-After", strconv.Itoa(int(wait)))
		if broken("retry-after-as-duration") {
			h.Set("Retry-After", (time.Duration(wait) * time.Second).String())
		}
		if broken("message-as-shipped") {
			c.Data(429, "text/plain; charset=utf-8", []byte("You have reached maximum request limit."))
			c.Abort()
			return
		}
		fail(c, 429, "rate_limited", "Too many requests.")
	}
}
