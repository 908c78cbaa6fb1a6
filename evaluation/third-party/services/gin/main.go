// The Pet Store Service with gin, gorm and SQLite, limited by a token bucket of tollbooth.
package main

import (
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"
	"gorm.io/driver/sqlite"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

// Category is a row of the table.
type Category struct {
	ID          int64   `json:"id" gorm:"primaryKey"`
	Name        string  `json:"name"`
	Description *string `json:"description,omitempty"`
}

// NewCategory is the body of a creation; pointers tell an absent field from an empty one.
type NewCategory struct {
	Name        *string `json:"name"`
	Description *string `json:"description"`
}

var (
	switches = map[string]bool{}
	keys     = append(strings.Split(os.Getenv("KEYS"), ","), os.Getenv("EXHAUSTED_KEY"))
	db       *gorm.DB
	reused   NewCategory
	memory   []Category
	writing  sync.Mutex
)

func broken(ids ...string) bool {
	for _, id := range ids {
		if switches[id] {
			return true
		}
	}
	return false
}

func number(name string) int {
	n, err := strconv.Atoi(os.Getenv(name))
	if err != nil {
		panic(err)
	}
	return n
}

func fail(c *gin.Context, status int, code, message string) {
	c.AbortWithStatusJSON(status, gin.H{"code": code, "message": message, "status": status})
}

func key(c *gin.Context) string {
	scheme, token, _ := strings.Cut(c.GetHeader("Authorization"), " ")
	if !strings.EqualFold(scheme, "bearer") {
		return ""
	}
	token = strings.TrimSpace(token)
	for _, one := range keys {
		if token == one {
			return one
		}
	}
	return ""
}

func authenticate(c *gin.Context) {
	if key(c) != "" {
		return
	}
	c.Header("WWW-Authenticate", "Bearer")
	if broken("abort-forgotten") {
		c.JSON(401, gin.H{"code": "unauthorized", "message": "The API key is missing or invalid.", "status": 401})
		return
	}
	fail(c, 401, "unauthorized", "The API key is missing or invalid.")
}

func main() {
	for _, id := range strings.Split(os.Getenv("BREAK"), ",") {
		switches[id] = true
	}
	gin.SetMode(gin.ReleaseMode)
	var err error
	db, err = gorm.Open(sqlite.Open(os.Getenv("SCRATCH")+"/store.db?_busy_timeout=20000&_journal_mode=WAL"), &gorm.Config{Logger: logger.Discard})
	if err != nil {
		panic(err)
	}
	if sql, err := db.DB(); err == nil && !broken("many-connections") {
		sql.SetMaxOpenConns(1)
	}
	if err := db.AutoMigrate(&Category{}); err != nil {
		panic(err)
	}
	router := gin.New()
	router.Use(gin.Recovery())
	router.RedirectTrailingSlash = broken("slashes-redirected")
	router.RedirectFixedPath = broken("slashes-redirected")
	router.HandleMethodNotAllowed = broken("method-not-allowed")
	group := router.Group("/v1")
	if broken("list-before-use") {
		group.GET("/categories", authenticate, list)
	}
	limit := limits()
	if broken("headers-after-handler") {
		group.Use(authenticate, func(c *gin.Context) { c.Next(); limit(c) })
	} else {
		group.Use(limit, authenticate)
	}
	if !broken("list-before-use") {
		group.GET("/categories", list)
	}
	group.POST("/categories", create)
	group.GET("/store/orders", func(c *gin.Context) { c.JSON(200, []int{}) })
	group.GET("/pets/:id", func(c *gin.Context) { fail(c, 404, "not_found", "There is no such pet.") })
	router.NoRoute(limit, authenticate, func(c *gin.Context) { fail(c, 404, "not_found", "There is no such path.") })
	if err := http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), router); err != nil {
		panic(err)
	}
}
