// cenkalti/backoff repeats an operation. As shipped: its exponential backoff, and RetryAfter where a 429 states seconds,
// as its documentation shows. Configured: the pause of the program after each 429.
package main

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	"petstore/clientlibraries/petstore"
)

// paused waits what the last 429 asked for and the backoff; a BackOff of the library is not told of a response.
type paused struct {
	value string
	retry int
}

func (p *paused) Reset() { p.retry = 0 }

func (p *paused) NextBackOff() time.Duration {
	p.retry++
	return petstore.Pause(p.value, p.retry-1)
}

func send(client *http.Client, method, body string) (*http.Response, error) {
	request, err := http.NewRequest(method, petstore.URL, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", petstore.Authorization())
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	return client.Do(request)
}

func shipped(method, body string) (int, error) {
	return backoff.Retry(context.Background(), func() (int, error) {
		response, err := send(http.DefaultClient, method, body)
		status, err := petstore.Status(response, err)
		if err == nil && status == 429 {
			if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil {
				return status, backoff.RetryAfter(seconds)
			}
			return status, errors.New("status 429")
		}
		return status, err
	}, backoff.WithBackOff(backoff.NewExponentialBackOff()))
}

func main() {
	if petstore.AsShipped() {
		petstore.Work(shipped)
		return
	}
	client := &http.Client{Transport: &petstore.Gate{}}
	petstore.Work(func(method, body string) (int, error) {
		pause := &paused{}
		return backoff.Retry(context.Background(), func() (int, error) {
			response, err := send(client, method, body)
			status, err := petstore.Status(response, err)
			if err != nil {
				return status, backoff.Permanent(err)
			}
			if status != 429 {
				return status, nil
			}
			pause.value = response.Header.Get("Retry-After")
			return status, errors.New("status 429")
		}, backoff.WithBackOff(pause), backoff.WithMaxTries(petstore.Attempts))
	})
}
