// net/http does not retry. Configured: a loop of the program.
package main

import (
	"net/http"
	"strings"
	"time"

	"petstore/clientlibraries/petstore"
)

func main() {
	client := &http.Client{}
	if !petstore.AsShipped() {
		client.Transport = &petstore.Gate{}
	}
	send := func(method, body string) (*http.Response, error) {
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
	petstore.Work(func(method, body string) (int, error) {
		for retry := 0; ; retry++ {
			response, err := send(method, body)
			status, err := petstore.Status(response, err)
			if err != nil || status != 429 || petstore.AsShipped() || retry == petstore.Attempts-1 {
				return status, err
			}
			time.Sleep(petstore.Pause(response.Header.Get("Retry-After"), retry))
		}
	})
}
