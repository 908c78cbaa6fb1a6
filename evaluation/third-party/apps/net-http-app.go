// The Pet Store Service on Go's net/http, conforming but for the fault that BREAK names.
package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

type window struct {
	used  int
	reset time.Time
}

var (
	fault         = os.Getenv("BREAK")
	keys          = strings.Split(os.Getenv("KEYS"), ",")
	perMinute     = number("PER_MINUTE")
	windowSeconds = number("MINUTE_SECONDS")
	lock          sync.Mutex
	windows       = map[string]*window{}
	categories    = []map[string]any{}
	bearer        = regexp.MustCompile(`^(?i:bearer) +(\S+)$`)
)

func number(name string) int {
	value, err := strconv.Atoi(os.Getenv(name))
	if err != nil {
		panic(err)
	}
	return value
}

func write(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(value)
}

func fail(w http.ResponseWriter, status int, code, message string) {
	if fault == "text-error" && status < 429 {
		http.Error(w, message, status)
		return
	}
	write(w, status, map[string]any{"code": code, "message": message, "status": status})
}

func keyOf(r *http.Request) string {
	match := bearer.FindStringSubmatch(r.Header.Get("Authorization"))
	if match == nil || !slices.Contains(keys, match[1]) {
		return ""
	}
	return match[1]
}

func limited(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		lock.Lock()
		defer lock.Unlock()
		key := keyOf(r)
		current := windows[key]
		if current == nil || !current.reset.After(time.Now()) {
			current = &window{0, time.Now().Add(time.Duration(windowSeconds) * time.Second)}
			windows[key] = current
		}
		current.used++
		left := perMinute - current.used
		if key == "" {
			left += 10000
		}
		header := w.Header()
		header.Set("X-RateLimit-Limit", strconv.Itoa(perMinute))
		header.Set("X-RateLimit-Remaining", strconv.Itoa(max(0, min(perMinute, left))))
		header.Set("X-RateLimit-Reset", strconv.FormatInt(current.reset.Unix()+1, 10))
		switch {
		case left < 0:
			at := current.reset.Add(time.Second).UTC()
			header.Set("Retry-After", at.Format(http.TimeFormat))
			if fault == "date-zone" {
				header.Set("Retry-After", at.Format(time.RFC1123))
			}
			fail(w, 429, "too_many_requests", "Too many requests.")
		case key == "":
			header.Set("WWW-Authenticate", "Bearer")
			fail(w, 401, "unauthorized", "The API key is missing or invalid.")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

func create(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Name        *string `json:"name"`
		Description *string `json:"description"`
	}
	var err error
	if fault == "invalid-body-accepted" {
		empty := ""
		body.Name = &empty
		err = json.NewDecoder(r.Body).Decode(&body)
	} else {
		var read []byte
		read, _ = io.ReadAll(r.Body)
		err = json.Unmarshal(read, &body)
	}
	if err != nil || body.Name == nil {
		fail(w, 400, "invalid_body", "name must be a string.")
		return
	}
	category := map[string]any{"id": len(categories) + 1, "name": *body.Name}
	if body.Description != nil {
		category["description"] = *body.Description
	}
	categories = append(categories, category)
	write(w, 201, category)
}

func main() {
	path := "/v1/categories"
	if fault == "slash-redirect" {
		path += "/"
	}
	mux := http.NewServeMux()
	mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			create(w, r)
		} else {
			write(w, 200, categories)
		}
	})
	panic(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), limited(mux)))
}
