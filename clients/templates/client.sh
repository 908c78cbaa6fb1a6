#!/bin/sh
# A client of the Pet Store Service with curl and GNU date. It waits Retry-After (seconds or HTTP-date), adds exponential
# backoff with jitter to it, gives up after six attempts, and retries 429 alone. It makes one request at a time, whatever
# PETSTORE_CONCURRENCY says: that is its gate. Replace list and create by calls of your own, and keep the rest.
ATTEMPTS=6

# Milliseconds from now; a date counts from the last whole second, so the wait is never too short.
retry_after_ms() {
  case $1 in
    '') ms=0 ;;
    *[!0-9]*) ms=$((($(date -d "$1" +%s || date +%s) - $(date +%s)) * 1000)) ;;
    *) ms=$(($1 * 1000)) ;;
  esac
  echo $((ms > 0 ? ms : 0))
}

# send CURL-OPTIONS…
send() {
  attempt=0
  while [ "$attempt" -lt "$ATTEMPTS" ]; do
    head=$(curl -sS -o /dev/null -D - -H "Authorization: Bearer $PETSTORE_API_KEY" "$@" "$PETSTORE_TARGET/categories") || return 1
    case $(echo "$head" | sed -n '1s/^[^ ]* \([0-9]*\).*/\1/p') in
      2??) return 0 ;;
      429) ;;
      *) return 1 ;;
    esac
    value=$(echo "$head" | tr -d '\r' | sed -n 's/^[Rr]etry-[Aa]fter: *//p')
    random=$(od -An -N2 -tu2 /dev/urandom)
    backoff=$(((1 << attempt) * (500 + random % 500)))
    wait=$(($(retry_after_ms "$value") + backoff))
    sleep "$((wait / 1000)).$(printf %03d $((wait % 1000)))" # After the last attempt, too: the next call has to wait.
    attempt=$((attempt + 1))
  done
  return 1
}

list() { send; }
create() { send -H 'Content-Type: application/json' -d '{"name": "rabbit"}'; }

failed=0
i=0; while [ "$i" -lt "${PETSTORE_CALLS:-1}" ]; do list || failed=1; i=$((i + 1)); done
i=0; while [ "$i" -lt "${PETSTORE_CREATES:-0}" ]; do create || failed=1; i=$((i + 1)); done
exit "$failed"
