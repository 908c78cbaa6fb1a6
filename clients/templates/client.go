// A client of the Pet Store Service for Go 1.21 or newer, without dependencies. It waits Retry-After (seconds or
// HTTP-date), adds exponential backoff with jitter to it, gives up after six attempts, and retries 429 alone. All tasks
// of a key wait at one gate. Replace list and create by calls of your own client, and keep the rest.
package main

import (
	"io"
	"math/rand"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const attempts = 6

var (
	gate        sync.Mutex
	closedUntil time.Time // The gate of the key: until then no task sends.
)

func waitAtGate() {
	for {
		gate.Lock()
		wait := time.Until(closedUntil)
		gate.Unlock()
		if wait <= 0 {
			return
		}
		time.Sleep(wait)
	}
}

func retryAfter(value string) time.Duration {
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}

func send(method, body string) bool {
	for attempt := 0; attempt < attempts; attempt++ {
		waitAtGate()
		request, err := http.NewRequest(method, os.Getenv("PETSTORE_TARGET")+"/categories", strings.NewReader(body))
		if err != nil {
			return false
		}
		request.Header.Set("Authorization", "Bearer "+os.Getenv("PETSTORE_API_KEY"))
		if body != "" {
			request.Header.Set("Content-Type", "application/json")
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return false
		}
		io.Copy(io.Discard, response.Body)
		response.Body.Close()
		if response.StatusCode != http.StatusTooManyRequests {
			return response.StatusCode < 300
		}
		backoff := time.Duration(float64(time.Second<<attempt) * (0.5 + rand.Float64()/2))
		opens := time.Now().Add(retryAfter(response.Header.Get("Retry-After")) + backoff)
		gate.Lock() // After the last attempt, too: the next call has to wait.
		if opens.After(closedUntil) {
			closedUntil = opens
		}
		gate.Unlock()
	}
	return false
}

func list() bool   { return send("GET", "") }
func create() bool { return send("POST", `{"name": "rabbit"}`) }

func count(name string, otherwise int) int {
	if number, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return number
	}
	return otherwise
}

func main() {
	calls, creates := count("PETSTORE_CALLS", 1), count("PETSTORE_CREATES", 0)
	work := make(chan func() bool, calls+creates)
	for i := 0; i < calls; i++ {
		work <- list
	}
	for i := 0; i < creates; i++ {
		work <- create
	}
	close(work)
	var failed atomic.Bool
	var tasks sync.WaitGroup
	for i := 0; i < count("PETSTORE_CONCURRENCY", 1); i++ {
		tasks.Add(1)
		go func() {
			defer tasks.Done()
			for call := range work {
				if !call() {
					failed.Store(true)
				}
			}
		}()
	}
	tasks.Wait()
	if failed.Load() {
		os.Exit(1)
	}
}
