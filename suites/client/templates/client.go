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
	"time"
)

var gate struct { // The gate of the key: until then no task sends.
	sync.Mutex
	closedUntil time.Time
}

// keepClosed keeps the gate closed until this moment at least, and returns what is left of the wait.
func keepClosed(until time.Time) time.Duration {
	gate.Lock()
	defer gate.Unlock()
	if until.After(gate.closedUntil) {
		gate.closedUntil = until
	}
	return time.Until(gate.closedUntil)
}

func retryAfter(value string) time.Duration {
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	at, _ := http.ParseTime(value) // What is unreadable is long past.
	return max(0, time.Until(at))
}

func send(method, body string) bool {
	for attempt := 0; attempt < 6; attempt++ {
		for left := keepClosed(time.Time{}); left > 0; left = keepClosed(time.Time{}) {
			time.Sleep(left)
		}
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
		// After the last attempt, too: the next call has to wait.
		keepClosed(time.Now().Add(retryAfter(response.Header.Get("Retry-After")) + backoff))
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
	lists, creations := count("PETSTORE_CALLS", 1), count("PETSTORE_CREATES", 0)
	results, slots := make(chan bool, lists+creations), make(chan bool, count("PETSTORE_CONCURRENCY", 1))
	for i := 0; i < lists+creations; i++ {
		call := list
		if i >= lists {
			call = create
		}
		slots <- true
		go func() {
			results <- call()
			<-slots
		}()
	}
	succeeded := true
	for i := 0; i < lists+creations; i++ {
		succeeded = <-results && succeeded
	}
	if !succeeded {
		os.Exit(1)
	}
}
