// The Pet Store Service with the standard library alone, and a switch for faults that show only under load.
package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

type Category struct {
	ID          int64   `json:"id"`
	Name        string  `json:"name"`
	Description *string `json:"description,omitempty"`
}

var (
	fault      = os.Getenv("BREAK")
	keys       = strings.Split(os.Getenv("KEYS"), ",")
	perMinute  = number("PER_MINUTE")
	perDay     = number("PER_DAY")
	minute     = seconds("MINUTE_SECONDS")
	day        = seconds("DAY_SECONDS")
	mu         sync.Mutex
	categories = []Category{}
	creations  int
)

func is(id string) bool { return fault == id }

func number(name string) int {
	n, err := strconv.Atoi(os.Getenv(name))
	if err != nil {
		panic(name)
	}
	return n
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

func fail(w http.ResponseWriter, status int, code, message string) {
	answer(w, status, map[string]any{"code": code, "message": message, "status": status})
}

// The key of a request; empty without a valid one.
func caller(r *http.Request) string {
	scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	for _, key := range keys {
		if strings.EqualFold(scheme, "Bearer") && given == key {
			return key
		}
	}
	return ""
}

func list(w http.ResponseWriter, _ *http.Request) {
	mu.Lock()
	shown := append([]Category{}, categories...)
	mu.Unlock()
	if is("pages-under-load") && above() {
		w.WriteHeader(200)
		_, _ = io.WriteString(w, "<html><h1>Busy</h1></html>")
		return
	}
	answer(w, 200, shown)
}

func create(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	var members map[string]any
	if err != nil || json.Unmarshal(raw, &members) != nil {
		fail(w, 400, "invalid_json", "The body is not a JSON object.")
		return
	}
	name, named := members["name"].(string)
	description, described := members["description"].(string)
	if _, given := members["description"]; !named || given && !described {
		fail(w, 400, "invalid_category", "name must be a string, and description a string or absent.")
		return
	}
	mu.Lock()
	creations++
	third := creations%3 == 0
	made := Category{ID: int64(len(categories)) + 1, Name: name}
	if described {
		made.Description = &description
	}
	if is("ids-repeated") { // numbered by what was read before the insertion
		mu.Unlock()
		time.Sleep(500 * time.Millisecond)
		mu.Lock()
	}
	categories = append(categories, made)
	mu.Unlock()
	if is("creations-mixed-up") { // kept in one place for all requests
		time.Sleep(300 * time.Millisecond)
		mu.Lock()
		made = categories[len(categories)-1]
		mu.Unlock()
	}
	if third && is("third-creation-crashes") {
		fail(w, 500, "internal", "The creation failed.")
		return
	}
	answer(w, 201, made)
}

func unknown(w http.ResponseWriter, _ *http.Request) {
	fail(w, 404, "not_found", "There is no such operation.")
}

func main() {
	routes := http.NewServeMux()
	routes.HandleFunc("GET /v1/categories", list)
	routes.HandleFunc("POST /v1/categories", create)
	routes.HandleFunc("/", unknown)
	panic(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), underLoad(limited(routes))))
}
