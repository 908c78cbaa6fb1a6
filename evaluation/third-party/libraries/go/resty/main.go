// resty retries errors of the network alone, so a condition has to name 429 in any case. Configured: a callback that
// returns Retry-After and the backoff, and a longest wait that does not cut it.
package main

import (
	"time"

	"github.com/go-resty/resty/v2"
	"petstore/clientlibraries/petstore"
)

func limited(response *resty.Response, _ error) bool { return response.StatusCode() == 429 }

func main() {
	client := resty.New().SetAuthToken(petstore.Authorization()[len("Bearer "):]).AddRetryCondition(limited)
	if petstore.AsShipped() {
		client.SetRetryCount(3)
	} else {
		client.SetTransport(&petstore.Gate{})
		client.SetRetryCount(petstore.Attempts - 1).SetRetryMaxWaitTime(24 * time.Hour)
		client.SetRetryAfter(func(_ *resty.Client, response *resty.Response) (time.Duration, error) {
			return petstore.Pause(response.Header().Get("Retry-After"), response.Request.Attempt-1), nil
		})
	}
	petstore.Work(func(method, body string) (int, error) {
		request := client.R()
		if body != "" {
			request.SetHeader("Content-Type", "application/json").SetBody(body)
		}
		response, err := request.Execute(method, petstore.URL)
		return response.StatusCode(), err
	})
}
