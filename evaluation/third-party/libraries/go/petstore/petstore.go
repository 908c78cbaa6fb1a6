// Package petstore is what the programs of this folder share: the work that certify-client asks for, and a gate for the
// key, which no library has. A program runs as its library is shipped, or configured: PROGRAM shipped|configured.
package petstore

import (
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// Attempts is how often a configured program sends a call at most.
const Attempts = 6

// URL is the address of both operations.
var URL = os.Getenv("PETSTORE_TARGET") + "/categories"

// AsShipped says whether the library is to be used as it is shipped.
func AsShipped() bool { return len(os.Args) > 1 && os.Args[1] == "shipped" }

// Authorization is the value of the header.
func Authorization() string { return "Bearer " + os.Getenv("PETSTORE_API_KEY") }

// RetryAfter is what a Retry-After asks for, in seconds or as an HTTP-date.
func RetryAfter(value string) time.Duration {
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}

// Pause is Retry-After, and exponential backoff with jitter on top; retry counts from 0.
func Pause(value string, retry int) time.Duration {
	backoff := float64(400*time.Millisecond) * float64(int(1)<<retry) * (0.5 + rand.Float64())
	return RetryAfter(value) + time.Duration(backoff)
}

// Gate is a transport that a 429 closes for all tasks, and that every request passes, retries too.
type Gate struct {
	lock        sync.Mutex
	closedUntil time.Time
}

// RoundTrip waits until the gate is open, and closes it on 429.
func (gate *Gate) RoundTrip(request *http.Request) (*http.Response, error) {
	for left := gate.left(); left > 0; left = gate.left() {
		time.Sleep(left)
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err == nil && response.StatusCode == http.StatusTooManyRequests {
		gate.lock.Lock()
		defer gate.lock.Unlock()
		opens := time.Now().Add(RetryAfter(response.Header.Get("Retry-After")))
		if opens.After(gate.closedUntil) {
			gate.closedUntil = opens
		}
	}
	return response, err
}

func (gate *Gate) left() time.Duration {
	gate.lock.Lock()
	defer gate.lock.Unlock()
	return time.Until(gate.closedUntil)
}

// Call sends one request, with this body unless it is empty, and returns the status.
type Call func(method, body string) (int, error)

// Status reads a response to its end.
func Status(response *http.Response, err error) (int, error) {
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return response.StatusCode, err
}

func count(name string, otherwise int) int {
	if number, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return number
	}
	return otherwise
}

// Work does the work, and ends the program.
func Work(call Call) {
	bodies := make(chan string, 100)
	for range count("PETSTORE_CALLS", 1) {
		bodies <- ""
	}
	for range count("PETSTORE_CREATES", 0) {
		bodies <- `{"name": "rabbit"}`
	}
	close(bodies)
	var failed atomic.Bool
	var tasks sync.WaitGroup
	for range count("PETSTORE_CONCURRENCY", 1) {
		tasks.Add(1)
		go func() {
			defer tasks.Done()
			for body := range bodies {
				if err := one(call, body); err != nil {
					fmt.Fprintln(os.Stderr, err)
					failed.Store(true)
					return // What a program does after an error is no part of its library.
				}
			}
		}()
	}
	tasks.Wait()
	if failed.Load() {
		os.Exit(1)
	}
}

func one(call Call, body string) error {
	method := "GET"
	if body != "" {
		method = "POST"
	}
	status, err := call(method, body)
	if err == nil && status >= 300 {
		return fmt.Errorf("status %d", status)
	}
	return err
}
