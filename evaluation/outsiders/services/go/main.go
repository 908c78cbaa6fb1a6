// The Pet Store Service with chi, httprate and validator.
package main

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/go-chi/httprate"
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

func token(r *http.Request) string {
	scheme, key, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if is("any-scheme") || strings.EqualFold(scheme, "Bearer") {
		return key
	}
	if is("key-in-query") {
		return r.URL.Query().Get("api_key")
	}
	return ""
}

func caller(r *http.Request) string {
	given := token(r)
	for _, key := range append(keys, exhausted) {
		if given == key && key != "" ||
			is("key-by-prefix") && len(given) >= 8 && strings.HasPrefix(key, given) ||
			is("key-extended") && strings.HasPrefix(given, key) ||
			is("key-case-folded") && strings.EqualFold(given, key) {
			return key
		}
	}
	return ""
}

func authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		open := is("head-and-options-open") && (r.Method == "HEAD" || r.Method == "OPTIONS") ||
			is("reads-open") && r.Method == "GET" && strings.HasPrefix(r.URL.Path, "/v1/store")
		if caller(r) == "" && !open {
			w.Header().Set("WWW-Authenticate", "Bearer")
			fail(w, 401, "unauthorized", "The API key is missing or invalid.")
			return
		}
		next.ServeHTTP(w, r)
	})
}

func keyOf(r *http.Request) (string, error) {
	key := caller(r)
	switch {
	case key == "" || is("limit-by-address"):
		return httprate.KeyByIP(r)
	case is("limit-by-real-ip"):
		return httprate.KeyByRealIP(r)
	case is("limit-by-endpoint"):
		return key + r.URL.Path, nil
	case is("limit-by-method"):
		return key + r.Method, nil
	}
	return key, nil
}

func limits() (minute, day func(http.Handler) http.Handler) {
	onLimit := httprate.WithLimitHandler(func(w http.ResponseWriter, r *http.Request) {
		if is("retry-after-duration") {
			w.Header().Set("Retry-After", (time.Duration(number("MINUTE_SECONDS")) * time.Second).String())
		}
		fail(w, 429, "rate_limited", "Too many requests.")
	})
	limiter := func(n, seconds int) *httprate.RateLimiter {
		return httprate.NewRateLimiter(n, time.Duration(seconds)*time.Second, httprate.WithKeyFuncs(keyOf), onLimit)
	}
	perDay := limiter(number("PER_DAY"), number("DAY_SECONDS"))
	exhaust := sync.OnceFunc(func() { // the day of one key is used before the first request
		key, _ := httprate.JoinKeys(func(*http.Request) (string, error) { return exhausted, nil })(nil)
		for nothing := httptest.NewRecorder(); !perDay.OnLimit(nothing, httptest.NewRequest("GET", "/", nil), key); {
		}
	})
	perMinute := limiter(number("PER_MINUTE"), number("MINUTE_SECONDS"))
	return perMinute.Handler, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if is("day-not-enforced") {
				next.ServeHTTP(w, r)
				return
			}
			exhaust()
			perDay.Handler(next).ServeHTTP(w, r)
		})
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

// Decodes exactly one JSON object with member names in exact case, which encoding/json alone does not do.
func decode(r *http.Request) (body NewCategory, err error) {
	raw, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		return body, err
	}
	if is("first-value-only") {
		return body, json.NewDecoder(strings.NewReader(string(raw))).Decode(&body)
	}
	if is("names-in-any-case") {
		return body, json.Unmarshal(raw, &body)
	}
	var members map[string]json.RawMessage
	if err = json.Unmarshal(raw, &members); err != nil {
		return body, err
	}
	if members["name"] != nil {
		if err = json.Unmarshal(members["name"], &body.Name); err != nil {
			return body, err
		}
	}
	if members["description"] != nil {
		err = json.Unmarshal(members["description"], &body.Description)
	}
	return body, err
}

func create(w http.ResponseWriter, r *http.Request) {
	body, err := decode(r)
	if err == nil && is("null-is-zero") && body.Name == nil {
		empty := ""
		body.Name = &empty
	}
	if err == nil {
		err = validate.Struct(body)
	}
	if err != nil {
		fail(w, 400, "invalid_category", err.Error())
		return
	}
	if is("empty-description-dropped") && body.Description != nil && *body.Description == "" {
		body.Description = nil
	}
	if is("ids-race") {
		next := int64(len(categories)) + 1
		time.Sleep(20 * time.Millisecond)
		mu.Lock()
		categories = append(categories, Category{ID: next, Name: *body.Name, Description: body.Description})
		mu.Unlock()
		answer(w, 201, Category{ID: next, Name: *body.Name, Description: body.Description})
		return
	}
	mu.Lock()
	made := Category{ID: int64(len(categories)) + 1, Name: *body.Name, Description: body.Description}
	if is("ids-in-nanoseconds") {
		made.ID = time.Now().UnixNano()
	}
	if is("name-cut-at-bytes") && len(made.Name) > 12 {
		made.Name = strings.ToValidUTF8(made.Name[:12], "\uFFFD")
	}
	if !is("not-stored") {
		categories = append(categories, made)
	}
	if is("created-twice") { // by a gateway that sends the request again
		made.ID++
		categories = append(categories, made)
	}
	version++
	mu.Unlock()
	answer(w, 201, made)
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
