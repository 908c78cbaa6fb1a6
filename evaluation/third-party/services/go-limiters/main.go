// The Pet Store Service with net/http and four limiters of Go: LIMITER, or BREAK, says which.
package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
)

type category struct {
	ID          int64   `json:"id"`
	Name        string  `json:"name"`
	Description *string `json:"description,omitempty"`
}

type problem struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Status  int    `json:"status"`
}

var (
	broken     = os.Getenv("BREAK")
	keys       = strings.Split(os.Getenv("KEYS"), ",")
	exhausted  = os.Getenv("EXHAUSTED_KEY")
	mu         sync.Mutex
	categories = []category{}
)

func is(id string) bool { return broken == id }

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
	answer(w, status, problem{code, message, status})
}

// created reads the members one by one, because encoding/json takes {"NAME": …} for name.
func created(r *http.Request) (category, bool) {
	var members map[string]json.RawMessage
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil || json.Unmarshal(body, &members) != nil {
		return category{}, false
	}
	var name, description *string
	if json.Unmarshal(members["name"], &name) != nil || name == nil || *name == "" {
		return category{}, false
	}
	if raw, ok := members["description"]; ok && (json.Unmarshal(raw, &description) != nil || description == nil) {
		return category{}, false
	}
	return category{Name: *name, Description: description}, true
}

func create(w http.ResponseWriter, r *http.Request) {
	one, ok := created(r)
	if !ok {
		fail(w, 400, "invalid_body", "The body needs a name, and may have a description.")
		return
	}
	mu.Lock()
	one.ID = int64(len(categories) + 1)
	categories = append(categories, one)
	mu.Unlock()
	answer(w, 201, one)
}

func serve(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/v1/categories" && r.Method == "GET":
		mu.Lock()
		shown := append([]category{}, categories...)
		mu.Unlock()
		answer(w, 200, shown)
	case r.URL.Path == "/v1/categories" && r.Method == "POST":
		create(w, r)
	case r.URL.Path == "/v1/categories":
		w.Header().Set("Allow", "GET, POST")
		fail(w, 405, "method_not_allowed", "No such method.")
	case r.URL.Path == "/v1/store/orders", strings.HasPrefix(r.URL.Path, "/v1/pets/"):
		fail(w, 501, "not_implemented", "Not implemented yet.")
	default:
		fail(w, 404, "not_found", "No such operation.")
	}
}

func main() {
	panic(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), limited(http.HandlerFunc(serve))))
}
