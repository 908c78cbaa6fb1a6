package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/gin-gonic/gin"
)

func list(c *gin.Context) {
	all := []Category{}
	switch {
	case broken("appended-without-lock"):
		all = append(all, memory...)
	default:
		if err := db.Order("id").Find(&all).Error; err != nil {
			fail(c, 500, "internal", err.Error())
			return
		}
	}
	if broken("one-variable-for-all") {
		var shared Category
		pointers := []*Category{}
		for _, shared = range all {
			pointers = append(pointers, &shared)
		}
		c.JSON(200, pointers)
		return
	}
	if broken("secure-json") {
		c.SecureJSON(200, all)
		return
	}
	if broken("through-map") {
		c.JSON(200, throughMap(all))
		return
	}
	if broken("ascii-json") {
		c.AsciiJSON(200, all)
		return
	}
	if broken("pure-json") {
		c.PureJSON(200, all)
		return
	}
	c.JSON(200, all)
}

// throughMap writes numbers as encoding/json reads them into an interface: as float64.
func throughMap(all []Category) any {
	text, _ := json.Marshal(all)
	var any []map[string]any
	_ = json.Unmarshal(text, &any)
	return any
}

func read(c *gin.Context) (NewCategory, bool) {
	var body NewCategory
	target := &body
	if broken("body-variable-reused") {
		writing.Lock()
		defer writing.Unlock()
		target = &reused
	}
	if broken("bind-aborts") {
		if err := c.BindJSON(target); err != nil {
			c.JSON(400, gin.H{"code": "invalid_category", "message": err.Error(), "status": 400})
			return body, false
		}
	} else if broken("should-bind-json") {
		if err := c.ShouldBindJSON(target); err != nil {
			fail(c, 400, "invalid_category", err.Error())
			return body, false
		}
	} else {
		text, err := io.ReadAll(c.Request.Body)
		if err == nil && bytes.Equal(bytes.TrimSpace(text), []byte("null")) {
			err = errors.New("the body is null")
		}
		if err == nil {
			decoder := json.NewDecoder(bytes.NewReader(text))
			if broken("unknown-disallowed") {
				decoder.DisallowUnknownFields()
			}
			if err = decoder.Decode(target); err == nil {
				if _, more := decoder.Token(); more != io.EOF {
					err = errors.New("text after the JSON")
				}
			}
		}
		if err != nil {
			fail(c, 400, "malformed_json", err.Error())
			return body, false
		}
	}
	if target.Name == nil && !broken("nil-dereferenced") {
		fail(c, 400, "missing_name", "A category has a name.")
		return body, false
	}
	return *target, true
}

func create(c *gin.Context) {
	body, ok := read(c)
	if !ok && !broken("return-forgotten") {
		return
	}
	if body.Name == nil {
		empty := ""
		body.Name = &empty
	}
	one := Category{Name: *body.Name, Description: body.Description}
	if broken("empty-is-default") && one.Description != nil && *one.Description == "" {
		none := "none"
		one.Description = &none
	}
	if broken("first-or-create") {
		db.Where(Category{Name: one.Name}).FirstOrCreate(&one)
	} else if broken("appended-without-lock") {
		one.ID = time.Now().UnixNano()
		before := memory
		time.Sleep(4 * time.Millisecond)
		memory = append(append([]Category{}, before...), one)
	} else if broken("ids-of-snowflake", "through-map") {
		one.ID = time.Now().UnixNano() | 1
		db.Create(&one)
	} else if err := db.Create(&one).Error; err != nil {
		fail(c, 500, "internal", err.Error())
		return
	}
	if broken("logged-description") {
		fmt.Fprintln(io.Discard, len(*one.Description))
	}
	c.JSON(201, one)
}
