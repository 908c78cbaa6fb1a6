#!/bin/sh
# curl --retry. It waits Retry-After or its own doubling delay, and keeps no gate between processes. No option adds the
# one to the other, so the configured program is the template: suites/client/templates/client.sh.
tasks=${PETSTORE_CONCURRENCY:-1}
calls=${PETSTORE_CALLS:-1}
creates=${PETSTORE_CREATES:-0}

send() {
  curl -sS --fail --retry 5 -o /dev/null -H "Authorization: Bearer $PETSTORE_API_KEY" "$@" "$PETSTORE_TARGET/categories"
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
  send -H 'Content-Type: application/json' -d '{"name": "rabbit"}' || exit 1
  i=$((i + 1))
done
