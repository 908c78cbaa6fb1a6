#!/bin/sh
# A client of the Pet Store Service with curl 7.84 or newer and GNU date. It waits Retry-After (seconds or HTTP-date), adds
# exponential backoff with jitter to it, gives up after six attempts, and retries 429 alone. It makes one request at a time,
# whatever PETSTORE_CONCURRENCY says: that is its gate. Replace list and create by calls of your own, and keep the rest.

# Milliseconds from now; a date counts from the last whole second, so the wait is never too short.
retry_after_ms() {
  case $1 in
    '') echo 0 ;;
    *[!0-9]*) seconds=$(($(date -d "$1" +%s || echo 0) - $(date +%s))); echo $((seconds > 0 ? seconds * 1000 : 0)) ;;
    *) echo $(($1 * 1000)) ;;
  esac
}

# send CURL-OPTIONS…
send() {
  for attempt in 0 1 2 3 4 5; do
    response=$(curl -sS -o /dev/null -w '%{http_code} %header{retry-after}' \
      -H "Authorization: Bearer $PETSTORE_API_KEY" "$@" "$PETSTORE_TARGET/categories") || return 1
    case $response in 2??\ *) return 0 ;; 429\ *) ;; *) return 1 ;; esac
    backoff=$(((1 << attempt) * (500 + $(od -An -N2 -tu2 /dev/urandom) % 500)))
    wait=$(($(retry_after_ms "${response#* }") + backoff))
    sleep "$((wait / 1000)).$(printf %03d $((wait % 1000)))" # After the last attempt, too: the next call has to wait.
  done
  return 1
}

list() { send; }
create() { send -H 'Content-Type: application/json' -d '{"name": "rabbit"}'; }

failed=0
for _ in $(seq "${PETSTORE_CALLS:-1}"); do list || failed=1; done
for _ in $(seq "${PETSTORE_CREATES:-0}"); do create || failed=1; done
exit "$failed"
