// hashicorp/go-retryablehttp waits Retry-After or its backoff. Configured: a Backoff that waits for both.
package main

import (
	"net/http"
	"time"

	"github.com/hashicorp/go-retryablehttp"
	"petstore/clientlibraries/petstore"
)

func main() {
	client := retryablehttp.NewClient()
	client.Logger = nil
	if !petstore.AsShipped() {
		client.RetryMax = petstore.Attempts - 1
		client.HTTPClient = &http.Client{Transport: &petstore.Gate{}}
		client.Backoff = func(_, _ time.Duration, retry int, response *http.Response) time.Duration {
			value := ""
			if response != nil {
				value = response.Header.Get("Retry-After")
			}
			return petstore.Pause(value, retry)
		}
	}
	petstore.Work(func(method, body string) (int, error) {
		var content interface{}
		if body != "" {
			content = []byte(body)
		}
		request, err := retryablehttp.NewRequest(method, petstore.URL, content)
		if err != nil {
			return 0, err
		}
		request.Header.Set("Authorization", petstore.Authorization())
		if body != "" {
			request.Header.Set("Content-Type", "application/json")
		}
		return petstore.Status(client.Do(request))
	})
}
