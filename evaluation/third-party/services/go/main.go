// The Pet Store Service with chi, httprate and validator.
package main

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/go-playground/validator/v10"
)

type Category struct {
	ID          int64          `json:"id"`
	Name        string         `json:"name"`
	Description *string        `json:"description,omitempty"`
	Extra       map[string]any `json:"extra,omitempty"`
}

type NewCategory struct {
	Name        *string `json:"name" validate:"required"`
	Description *string `json:"description"`
}

type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Status  int    `json:"status"`
}

var (
	broken      = os.Getenv("BREAK")
	keys        = strings.Split(os.Getenv("KEYS"), ",")
	exhausted   = os.Getenv("EXHAUSTED_KEY")
	validate    = validator.New()
	mu          sync.Mutex
	categories  = []Category{}
	cached      []Category
	cachedAt    time.Time
	version     = 1
	seenVersion int
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
	if !is("type-sniffed") {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
	}
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

func fail(w http.ResponseWriter, status int, code, message string) {
	switch {
	case is("plain-http-error"):
		http.Error(w, message, status)
	case is("errors-wrapped"):
		answer(w, status, map[string]any{"error": Error{code, message, status}})
	case is("status-as-text") && status == 400:
		answer(w, status, map[string]any{"code": code, "message": message, "status": http.StatusText(status)})
	case is("status-omitted-when-400") && status == 400:
		answer(w, status, map[string]any{"code": code, "message": message})
	default:
		answer(w, status, Error{code, message, status})
	}
}

func list(w http.ResponseWriter, r *http.Request) {
	mu.Lock()
	shown := append([]Category{}, categories...)
	if is("list-cached") {
		if time.Since(cachedAt) > 20*time.Second {
			cached, cachedAt = shown, time.Now()
		}
		shown = cached
	}
	mu.Unlock()
	switch {
	case is("list-null-when-empty") && len(shown) == 0:
		shown = nil
	case is("list-first-ten") && len(shown) > 10:
		shown = shown[:10]
	case is("list-newest-ten") && len(shown) > 10:
		shown = shown[len(shown)-10:]
	case is("list-wrapped"):
		answer(w, 200, map[string]any{"data": shown, "total": len(shown)})
		return
	}
	if is("not-modified-unasked") {
		if version == seenVersion {
			w.WriteHeader(304)
			return
		}
		seenVersion = version
	}
	if tag := fmt.Sprintf(`"%d"`, version); is("etag-on-lists") {
		w.Header().Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(304)
			return
		}
	}
	if is("list-in-public-cache") {
		w.Header().Set("Cache-Control", "public, max-age=60")
	}
	if is("list-gzipped") {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Type", "application/json")
		zipped := gzip.NewWriter(w)
		_ = json.NewEncoder(zipped).Encode(shown)
		_ = zipped.Close()
		return
	}
	answer(w, 200, shown)
}

func main() {
	minute, day := limits()
	router := chi.NewRouter()
	if is("capacity-throttle") {
		router.Use(middleware.Throttle(3))
	}
	router.Use(middleware.Recoverer)
	notFound := func(w http.ResponseWriter, r *http.Request) { fail(w, 404, "not_found", "No such operation.") }
	api := func(api chi.Router) {
		if is("limit-behind-authentication") {
			api.Use(authenticate, day, minute)
		} else {
			api.Use(day, minute, authenticate)
		}
		if is("capacity-throttle") {
			api.Use(func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { time.Sleep(15 * time.Millisecond); next.ServeHTTP(w, r) })
			})
		}
		api.NotFound(notFound)
		api.MethodNotAllowed(func(w http.ResponseWriter, r *http.Request) { fail(w, 405, "method_not_allowed", "No such method.") })
		api.Get("/categories", list)
		api.Post("/categories", create)
		if is("head-and-options-open") {
			api.Head("/categories", list)
		}
		orders := func(w http.ResponseWriter, r *http.Request) { fail(w, 501, "not_implemented", "Not implemented yet.") }
		if is("reads-open") {
			orders = func(w http.ResponseWriter, r *http.Request) { answer(w, 200, []int{}) }
		}
		api.Get("/store/orders", orders)
		api.Get("/pets/{petId}", orders)
	}
	router.Route("/v1", api)
	fmt.Println("listening")
	panic(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), router))
}
