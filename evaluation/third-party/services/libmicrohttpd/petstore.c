/* The Pet Store Service in C with GNU libmicrohttpd (a pool of threads) and Jansson. */
#include <jansson.h>
#include <math.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

static const char *chosen;
#define BROKEN(id) (strcmp(chosen, id) == 0)

static char keys[3][128]; /* the last one has used its day */
static int per_minute, minute, per_day, day;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static json_t *categories;
static json_int_t next_id = 1000;

/* A token bucket of the limit per minute, filled continuously, and a count for the day. */
struct bucket { char who[256]; double tokens, at; int today; };
static struct bucket buckets[256];
static __thread struct bucket own_buckets[8];

struct upload { char *bytes; size_t size; };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

static struct bucket *bucket_of(const char *who) {
  struct bucket *all = BROKEN("bucket-of-thread") ? own_buckets : buckets;
  int most = BROKEN("bucket-of-thread") ? 8 : 256;
  for (int i = 0; i < most; i++) {
    if (all[i].who[0] == 0) {
      snprintf(all[i].who, sizeof all[i].who, "%s", who);
      all[i].tokens = per_minute;
      all[i].at = now();
      all[i].today = strcmp(who, keys[2]) == 0 ? per_day : 0;
      return &all[i];
    }
    if (strcmp(all[i].who, who) == 0) return &all[i];
  }
  return &all[0];
}

struct taken { int limit, left, wait; double reset, exact; };

static struct taken take(const char *who) {
  if (!BROKEN("no-mutex")) pthread_mutex_lock(&lock);
  struct bucket *one = bucket_of(who);
  double t = now(), rate = per_minute / (double)minute;
  if (BROKEN("fills-twice-as-fast")) rate *= 2;
  double tokens = fmin(per_minute, one->tokens + (t - one->at) * rate);
  struct taken result = {per_minute, 0, 0, t, 0};
  if (one->today >= per_day && !BROKEN("endless-day")) {
    double midnight = (floor(t / day) + 1) * day;
    result = (struct taken){per_day, 0, (int)ceil(midnight - t), midnight, midnight - t};
  } else if (tokens < 1) {
    result.exact = (1 - tokens) / rate;
    result.wait = (int)ceil(result.exact);
    if (result.wait < 1) result.wait = 1;
    result.reset = t + (per_minute - tokens) / rate;
    one->tokens = tokens;
  } else {
    if (BROKEN("no-mutex")) usleep(4000);
    one->tokens = tokens - 1;
    if (BROKEN("every-tenth-free") && one->today % 10 == 9) one->tokens = tokens;
    one->today++;
    result.left = (int)one->tokens;
    result.reset = t + (per_minute - one->tokens) / rate;
  }
  one->at = t;
  if (!BROKEN("no-mutex")) pthread_mutex_unlock(&lock);
  return result;
}

static const char *caller_of(const char *given) {
  if (given == NULL) return NULL;
  if (strlen(given) < 7) return NULL;
  if (strncasecmp(given, "Bearer ", 7) != 0 && !BROKEN("skips-seven-bytes") && !BROKEN("finds-key-in-header")) return NULL;
  const char *token = given + 7;
  if (!BROKEN("skips-seven-bytes")) while (*token == ' ') token++;
  for (int i = 0; i < 3; i++) {
    if (strcmp(token, keys[i]) == 0) return keys[i];
    if (BROKEN("strncmp-to-token") && strncmp(token, keys[i], strlen(token)) == 0) return keys[i];
    if (BROKEN("strncmp-to-key") && strncmp(token, keys[i], strlen(keys[i])) == 0) return keys[i];
    if (BROKEN("strncmp-to-sixteen") && strncmp(token, keys[i], 16) == 0) return keys[i];
    if (BROKEN("finds-key-in-header") && strstr(given, keys[i]) != NULL) return keys[i];
    if (BROKEN("compares-ignoring-case") && strcasecmp(token, keys[i]) == 0) return keys[i];
  }
  return NULL;
}

static void put(struct MHD_Response *response, const char *name, const char *format, ...) {
  char text[128];
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
  MHD_add_response_header(response, name, text);
}

static char shared_text[65536];

static enum MHD_Result respond(struct MHD_Connection *connection, int status, char *text, struct taken taken, int posts) {
  struct MHD_Response *response;
  if (BROKEN("one-buffer-for-all") && text != NULL) {
    snprintf(shared_text, sizeof shared_text, "%s", text);
    usleep(3000);
    response = MHD_create_response_from_buffer(strlen(shared_text), shared_text, MHD_RESPMEM_MUST_COPY);
  } else {
    response = MHD_create_response_from_buffer(text == NULL ? 0 : strlen(text), text == NULL ? "" : text, MHD_RESPMEM_MUST_COPY);
  }
  free(text);
  if (!(BROKEN("type-of-errors-missing") && status >= 400)) put(response, "content-type", BROKEN("type-is-json-text") ? "text/json" : "application/json");
  if (taken.limit > 0 && !(BROKEN("headers-on-get-only") && posts)) {
    unsigned left = taken.left;
    if (BROKEN("remaining-unsigned") && taken.wait > 0) left = (unsigned)-1;
    put(response, "x-ratelimit-limit", BROKEN("limit-per-second") ? "%d" : "%d", BROKEN("limit-per-second") ? taken.limit / 60 : taken.limit);
    put(response, "x-ratelimit-remaining", BROKEN("remaining-in-percent") ? "%u%%" : "%u", left);
    if (BROKEN("reset-with-exponent")) put(response, "x-ratelimit-reset", "%g", ceil(taken.reset));
    else if (BROKEN("reset-overflows")) put(response, "x-ratelimit-reset", "%d", (int)((long)ceil(taken.reset * 1000) & 0x7fffffff));
    else put(response, "x-ratelimit-reset", "%ld", (long)ceil(taken.reset));
  }
  if (taken.wait > 0 && !(BROKEN("retry-after-for-get-only") && posts)) {
    if (BROKEN("retry-after-with-decimals")) put(response, "retry-after", "%.2f", taken.exact);
    else if (BROKEN("retry-after-in-hex")) put(response, "retry-after", "0x%x", taken.wait);
    else if (BROKEN("retry-after-empty")) put(response, "retry-after", "");
    else put(response, "retry-after", "%d", taken.wait);
  }
  if (status == 401) put(response, "www-authenticate", "Bearer");
  if (BROKEN("limited-closes-connection") && status == 429) put(response, "connection", "close");
  if (BROKEN("server-error-instead-of-429") && status == 429) status = 500;
  enum MHD_Result result = MHD_queue_response(connection, status, response);
  MHD_destroy_response(response);
  return result;
}

static enum MHD_Result fail(struct MHD_Connection *connection, int status, const char *code, const char *message, struct taken taken, int posts) {
  json_t *error = json_pack("{s:s,s:s,s:i}", "code", code, "message", message, "status", status);
  if (BROKEN("code-is-errno")) json_object_set_new(error, "code", json_integer(22));
  if (BROKEN("status-is-real")) json_object_set_new(error, "status", json_real(status));
  if (BROKEN("status-is-zero")) json_object_set_new(error, "status", json_integer(0));
  if (BROKEN("message-left-out") && status == 401) json_object_del(error, "message");
  char *text = json_dumps(error, JSON_COMPACT);
  if (BROKEN("errors-cut") && status == 400) text[strlen(text) - 1] = 0;
  if (BROKEN("errors-in-prose")) snprintf(text, strlen(text), "error: %s", code);
  json_decref(error);
  return respond(connection, status, text, taken, posts);
}

/* What a hand-written printf would make of a category. */
static char *printed(json_t *category) {
  char *text = malloc(20000);
  const char *description = json_string_value(json_object_get(category, "description"));
  int at = snprintf(text, 9000, "{\"id\":%" JSON_INTEGER_FORMAT ",\"name\":\"%s\"", json_integer_value(json_object_get(category, "id")), json_string_value(json_object_get(category, "name")));
  if (description != NULL) at += snprintf(text + at, 9000, ",\"description\":\"%s\"", description);
  snprintf(text + at, 8, "}");
  return text;
}

static size_t flags(void) {
  if (BROKEN("ascii-escapes")) return JSON_ENSURE_ASCII | JSON_ESCAPE_SLASH;
  return JSON_INDENT(1) | JSON_SORT_KEYS;
}

static json_t *shown(json_t *category, int in_list) {
  json_t *one = json_deep_copy(category);
  json_t *name = json_object_get(one, "name");
  if (BROKEN("ids-as-text")) json_object_set_new(one, "id", json_string("1000"));
  if (BROKEN("ids-as-real")) json_object_set_new(one, "id", json_real(json_integer_value(json_object_get(one, "id"))));
  if (BROKEN("description-null-in-list") && in_list && json_object_get(one, "description") == NULL) json_object_set_new(one, "description", json_null());
  if (BROKEN("description-empty-when-absent") && json_object_get(one, "description") == NULL) json_object_set_new(one, "description", json_string(""));
  if (BROKEN("name-in-list-cut") && in_list && strlen(json_string_value(name)) > 14) json_object_set_new(one, "name", json_stringn_nocheck(json_string_value(name), 14));
  if (BROKEN("extra-fields")) json_object_set_new(one, "_etag", json_pack("[i,n,{}]", 1));
  return one;
}

static char *listed(void) {
  json_t *list = json_array();
  size_t i, count = json_array_size(categories);
  json_t *category;
  json_array_foreach(categories, i, category) {
    if (BROKEN("loop-ends-early") && i + 1 == count && count > 1) break;
    if (BROKEN("loop-of-sixteen") && i >= 16) break;
    json_array_append_new(list, shown(category, 1));
    if (BROKEN("first-repeated") && i == 0) json_array_append_new(list, shown(category, 1));
  }
  char *text = json_dumps(list, flags());
  if (BROKEN("list-of-four-kib") && strlen(text) > 4096) text[4096] = 0;
  if (BROKEN("list-with-trailing-newlines")) {
    text = realloc(text, strlen(text) + 8);
    strcat(text, "\r\n\t \n");
  }
  json_decref(list);
  return text;
}

static json_t *text_or_null(json_t *value) {
  if (json_is_string(value)) return json_incref(value);
  if (BROKEN("numbers-printed") && json_is_number(value)) return json_sprintf("%g", json_number_value(value));
  if (BROKEN("null-is-text") && json_is_null(value)) return json_string("null");
  if (BROKEN("anything-dumped")) { char *text = json_dumps(value, JSON_ENCODE_ANY); json_t *made = json_string(text); free(text); return made; }
  return NULL;
}

static json_t *cleaned(json_t *text) {
  char copy[70000];
  snprintf(copy, sizeof copy, "%s", json_string_value(text));
  if (BROKEN("buffer-of-24")) { copy[24] = 0; while (json_string(copy) == NULL) copy[strlen(copy) - 1] = 0; }
  if (BROKEN("buffer-of-256")) { copy[255] = 0; while (json_string(copy) == NULL) copy[strlen(copy) - 1] = 0; }
  if (BROKEN("toupper")) for (char *c = copy; *c; c++) if (*c >= 'a' && *c <= 'z') *c -= 32;
  if (BROKEN("eighth-bit-lost")) { for (char *c = copy; *c; c++) *c &= 127; }
  if (BROKEN("scanned-as-word")) { char word[70000] = ""; sscanf(copy, "%s", word); strcpy(copy, word); }
  if (BROKEN("printed-as-format")) { char *percent; while ((percent = strchr(copy, '%')) != NULL) *percent = '_'; }
  if (BROKEN("control-characters-dropped")) { char *to = copy; for (char *c = copy; *c; c++) if ((unsigned char)*c >= 32) *to++ = *c; *to = 0; }
  json_t *made = json_string(copy);
  return made == NULL ? json_incref(text) : made;
}

static enum MHD_Result create(struct MHD_Connection *connection, struct upload *upload, struct taken taken) {
  size_t decode = JSON_DECODE_ANY | JSON_ALLOW_NUL;
  if (BROKEN("end-not-checked")) decode |= JSON_DISABLE_EOF_CHECK;
  if (BROKEN("objects-and-arrays-only")) decode = JSON_REJECT_DUPLICATES;
  json_error_t why;
  json_t *body = upload->bytes == NULL ? NULL : json_loadb(upload->bytes, upload->size, decode, &why);
  if (body == NULL && BROKEN("malformed-is-conflict")) return fail(connection, 409, "parse_error", why.text, taken, 1);
  if (body == NULL && BROKEN("malformed-is-empty")) body = json_pack("{s:s}", "name", "unnamed");
  if (json_is_array(body) && BROKEN("arrays-unwrapped")) body = json_incref(json_array_get(body, 0));
  if (!json_is_object(body)) return fail(connection, 400, "invalid_body", "The body must be a JSON object.", taken, 1);
  json_t *given = json_object_get(body, "name");
  if (given == NULL && BROKEN("name-from-description")) given = json_object_get(body, "description");
  json_t *name = text_or_null(given), *description = NULL;
  if (name == NULL) return fail(connection, 400, "invalid_name", "name must be a string.", taken, 1);
  json_t *second = json_object_get(body, "description");
  if (second != NULL && !(BROKEN("other-descriptions-ignored") && !json_is_string(second))) {
    description = BROKEN("description-kept-as-is") ? json_incref(second) : text_or_null(second);
    if (description == NULL) return fail(connection, 400, "invalid_description", "description must be a string.", taken, 1);
  }
  if (BROKEN("name-of-four-at-least") && json_string_length(name) < 4) return fail(connection, 400, "short_name", "name is too short.", taken, 1);
  json_t *made = json_object();
  pthread_mutex_lock(&lock);
  json_int_t id = next_id++;
  if (BROKEN("id-before-lock")) { id = json_array_size(categories); pthread_mutex_unlock(&lock); usleep(20000); pthread_mutex_lock(&lock); }
  if (BROKEN("id-from-rand")) id = rand() % 8;
  if (BROKEN("id-from-body") && json_is_integer(json_object_get(body, "id"))) id = json_integer_value(json_object_get(body, "id"));
  if (BROKEN("ids-at-the-end-of-int64")) id = 9223372036854775807 - id;
  json_object_set_new(made, "id", json_integer(id));
  json_object_set_new(made, "name", cleaned(name));
  if (description != NULL) json_object_set_new(made, "description", json_is_string(description) ? cleaned(description) : description);
  if (!(BROKEN("table-of-ten") && json_array_size(categories) >= 10)) json_array_append(categories, made);
  if (BROKEN("appended-twice")) json_array_append(categories, made);
  if (BROKEN("list-not-terminated") && json_array_size(categories) % 7 == 0) json_array_remove(categories, 0);
  pthread_mutex_unlock(&lock);
  char *text = BROKEN("created-by-printf") ? printed(made) : json_dumps(shown(made, 0), flags());
  if (BROKEN("created-is-text-ok")) snprintf(text, 3, "OK");
  return respond(connection, BROKEN("created-is-ok") ? 200 : 201, text, taken, 1);
}

static enum MHD_Result handle(void *unused, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *bytes, size_t *size, void **state) {
  (void)unused; (void)version;
  struct upload *upload = *state;
  if (upload == NULL) { *state = calloc(1, sizeof *upload); return MHD_YES; }
  if (*size > 0) {
    size_t had = BROKEN("last-chunk-only") ? 0 : upload->size;
    upload->bytes = realloc(upload->bytes, had + *size + 1);
    memcpy(upload->bytes + had, bytes, *size);
    upload->size = had + *size;
    *size = 0;
    return MHD_YES;
  }
  int posts = strcmp(method, "POST") == 0;
  const char *authorization = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Authorization");
  const char *caller = caller_of(authorization);
  if (caller == NULL && BROKEN("key-in-argument")) {
    const char *argument = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "key");
    for (int i = 0; argument != NULL && i < 3; i++) if (strcmp(argument, keys[i]) == 0) caller = keys[i];
  }
  char who[256];
  snprintf(who, sizeof who, "%.200s", caller == NULL ? "address" : caller);
  if (BROKEN("bucket-of-path")) snprintf(who, sizeof who, "%.100s%.100s", caller == NULL ? "" : caller, url);
  if (BROKEN("bucket-of-socket")) snprintf(who, sizeof who, "%.100s%p", caller == NULL ? "" : caller, (void *)connection);
  if (BROKEN("bucket-for-all") && caller != NULL) snprintf(who, sizeof who, "all");
  if (BROKEN("bucket-of-header") && caller != keys[2]) snprintf(who, sizeof who, "%.200s", authorization == NULL ? "" : authorization);
  struct taken none = {0, 0, 0, 0, 0}, taken = none;
  if (!(BROKEN("unauthorized-without-bucket") && caller == NULL) && !(BROKEN("posts-without-bucket") && posts)) taken = take(who);
  if (taken.wait > 0) return fail(connection, 429, "rate_limited", "Too many requests.", taken, posts);
  int exact = strcmp(url, "/v1/categories") == 0;
  int guarded = !(BROKEN("prefix-routed") && !exact) && !(BROKEN("orders-for-all") && strcmp(url, "/v1/store/orders") == 0);
  if (caller == NULL && guarded) {
    if (BROKEN("unauthorized-is-400")) return fail(connection, 400, "no_key", "The API key is missing.", taken, posts);
    return fail(connection, 401, "unauthorized", "The API key is missing or invalid.", taken, posts);
  }
  if (BROKEN("prefix-routed") && strncasecmp(url, "/v1/categories", 14) == 0) exact = 1;
  if (exact && posts) return create(connection, upload, taken);
  if (exact && (strcmp(method, "GET") == 0 || BROKEN("any-method-lists"))) {
    pthread_mutex_lock(&lock);
    if (BROKEN("slow-list-blocks")) usleep(30000);
    char *text = listed();
    pthread_mutex_unlock(&lock);
    return respond(connection, 200, text, taken, posts);
  }
  if (exact) return fail(connection, 405, "method_not_allowed", "Use GET or POST.", taken, posts);
  if (strcmp(url, "/v1/store/orders") == 0) return respond(connection, BROKEN("orders-are-empty") ? 204 : 200, BROKEN("orders-are-empty") ? NULL : strdup("{\"orders\":[]}"), taken, posts);
  return fail(connection, 404, "not_found", "No such operation.", taken, posts);
}

static void done(void *unused, struct MHD_Connection *connection, void **state, enum MHD_RequestTerminationCode code) {
  (void)unused; (void)connection; (void)code;
  struct upload *upload = *state;
  if (upload != NULL) free(upload->bytes);
  free(upload);
}

int main(void) {
  chosen = getenv("BREAK");
  sscanf(getenv("KEYS"), "%127[^,],%127s", keys[0], keys[1]);
  snprintf(keys[2], sizeof keys[2], "%s", getenv("EXHAUSTED_KEY"));
  per_minute = atoi(getenv("PER_MINUTE"));
  minute = atoi(getenv("MINUTE_SECONDS"));
  per_day = atoi(getenv("PER_DAY"));
  day = atoi(getenv("DAY_SECONDS"));
  categories = json_array();
  struct MHD_Daemon *daemon = MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL, atoi(getenv("PORT")), NULL, NULL, handle, NULL,
      MHD_OPTION_THREAD_POOL_SIZE, 4, MHD_OPTION_CONNECTION_TIMEOUT, 3, MHD_OPTION_NOTIFY_COMPLETED, done, NULL, MHD_OPTION_END);
  if (daemon == NULL) return 1;
  for (;;) pause();
}
