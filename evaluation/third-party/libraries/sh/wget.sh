#!/bin/sh
# wget with a retry on 429, which it has to be told. It does not read Retry-After, and its delays grow by a second each
# time. No option changes that, so the configured program is the template: suites/client/templates/client.sh.
tasks=${PETSTORE_CONCURRENCY:-1}
calls=${PETSTORE_CALLS:-1}
creates=${PETSTORE_CREATES:-0}

send() {
  wget -q -O /dev/null --tries=6 --retry-on-http-error=429 --header "Authorization: Bearer $PETSTORE_API_KEY" "$@" \
    "$PETSTORE_TARGET/categories"
}

# One task: every $tasks-th list, so that the tasks share the calls.
task() {
  i=$1
  while [ "$i" -lt "$calls" ]; do
    send || return 1
    i=$((i + tasks))
  done
}

failed=0
pids=
t=0
while [ "$t" -lt "$tasks" ]; do
  task "$t" &
  pids="$pids $!"
  t=$((t + 1))
done
for pid in $pids; do wait "$pid" || failed=1; done
[ "$failed" = 0 ] || exit 1
i=0
while [ "$i" -lt "$creates" ]; do
  send --header 'Content-Type: application/json' --post-data '{"name": "rabbit"}' || exit 1
  i=$((i + 1))
done
