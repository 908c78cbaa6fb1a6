package main

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"
)

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
