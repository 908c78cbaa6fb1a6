"""Fixed windows that begin with the first request of a key, one for the minute and one for the day."""

import asyncio
import math
import os
import time

KEYS = os.environ["KEYS"].split(",")
PER_MINUTE = int(os.environ["PER_MINUTE"])
PER_DAY = int(os.environ["PER_DAY"])
MINUTE = float(os.environ["MINUTE_SECONDS"])
DAY = float(os.environ["DAY_SECONDS"])


class Window:
    """A count that starts again when its time is over."""

    def __init__(self, length):
        self.length, self.ends, self.used = length, 0.0, 0

    def now(self, at):
        if at >= self.ends:
            self.ends, self.used = at + self.length, 0
        return self


LARGER_KEYS = os.environ.get("LARGER_KEYS", "").split(",")


class Caller:
    def __init__(self, key):
        larger = key in LARGER_KEYS
        self.key, self.per_minute = key, int(os.environ["LARGER_PER_MINUTE"]) if larger else PER_MINUTE
        self.minute, self.day = Window(MINUTE), Window(DAY)
        self.beyond = self.total = 0
        self.may_return = self.blocked_until = None
        self.banned = False


class Limits:
    def __init__(self, fault, pressure):
        self.fault, self.pressure = fault, pressure
        self.callers = {}
        self.everybody_banned = False
        self.first_beyond = None

    def untouched(self):
        return self.headers(PER_MINUTE, PER_MINUTE, time.time() + MINUTE)

    def headers(self, limit, remaining, reset):
        if self.fault == "headers-missing-under-load" and self.pressure.above():
            return {}
        return {"X-RateLimit-Limit": limit, "X-RateLimit-Remaining": max(0, remaining),
                "X-RateLimit-Reset": math.ceil(reset)}

    def allowed(self, caller):
        """How many requests of a minute are accepted; the headers always show the limit of the plan."""
        windows = self.pressure.elapsed() // MINUTE
        if self.fault == "plans-mixed-up":
            return PER_MINUTE
        if self.fault == "doubled-limit":
            return 2 * caller.per_minute
        if self.fault == "one-too-many":
            return caller.per_minute + 1
        if self.fault == "one-too-few":
            return caller.per_minute - 1
        if self.fault == "half-in-second-window" and windows > 0:
            return caller.per_minute // 2
        if self.fault == "half-quota-after-429" and caller.may_return is not None:
            return caller.per_minute // 2
        if self.fault == "limit-erodes":
            return max(1, caller.per_minute - 2 * windows)
        return caller.per_minute

    async def take(self, key, creation):
        """Counts a request: the status of a decision, and the headers."""
        at = time.time()
        name = "everybody" if self.fault == "counter-shared-by-keys" else key
        caller = self.callers.setdefault(name, Caller(name))
        minute, day = caller.minute.now(at), caller.day.now(at)
        banned = self.bans(caller, at)
        if banned is not None:
            return banned
        most_today = PER_DAY * 9 // 10 if self.fault == "day-too-small" else PER_DAY
        if day.used >= most_today and self.fault != "day-not-enforced":
            return self.limited(PER_DAY, day.ends, self.fault == "day-retry-after-missing")
        if minute.used >= self.allowed(caller):
            return self.exceeded(caller, minute.ends, at)
        day.used += 1
        caller.total += 1
        await self.count(caller, creation)
        remaining = caller.per_minute - minute.used
        if self.fault == "counter-drift":
            remaining = min(caller.per_minute, remaining + int(1.5 * (self.pressure.elapsed() // MINUTE)))
        return 200, self.headers(caller.per_minute, remaining, minute.ends)

    async def count(self, caller, creation):
        if self.fault == "creations-not-counted" and creation:
            return
        if self.fault == "tenth-not-counted" and caller.total % 10 == 0:
            return
        if self.fault == "lost-updates":  # read, then written without regard to what others wrote meanwhile
            before = caller.minute.used
            await asyncio.sleep(0.005)
            caller.minute.used = before + 1
            return
        twice = self.fault == "counted-twice-under-load" and self.pressure.above()
        caller.minute.used += 2 if twice else 1

    def limited(self, limit, until, silent=False):
        added = self.headers(limit, 0, until)
        if silent or self.fault == "retry-after-missing-under-load" and self.pressure.above():
            return 429, added
        return 429, {**added, "Retry-After": max(1, math.ceil(until - time.time()))}

    def exceeded(self, caller, until, at):
        caller.beyond += 1
        if caller.may_return is None and self.fault == "not-back-after-retry-after":
            caller.blocked_until = until + 2 * (until - at) + 3
        caller.may_return = until
        self.first_beyond = self.first_beyond or (caller.key, until)
        return self.limited(caller.per_minute, until)

    def bans(self, caller, at):
        """Bans and blocks, which come before the count."""
        offends = caller.beyond > 10
        returned = caller.may_return is not None and at > caller.may_return
        if offends and self.fault in ("ban-without-end", "ban-outlasts-retry-after") or returned and self.fault == "banned-although-waited":
            caller.banned = True
        if offends and self.fault in ("ban-hits-everybody", "ban-as-429-hits-everybody"):
            self.everybody_banned = True
        if offends and self.fault == "ban-temporary":
            caller.beyond, caller.blocked_until = 0, at + MINUTE
        if self.fault == "plan-exhausts-others" and self.first_beyond is not None:
            key, until = self.first_beyond
            if key != caller.key and at < until:
                return self.limited(caller.per_minute, until)
        if caller.banned and self.fault == "ban-outlasts-retry-after":
            return 403, {**self.headers(caller.per_minute, 0, at + MINUTE), "Retry-After": math.ceil(MINUTE / 2)}
        if caller.banned or self.everybody_banned and self.fault == "ban-hits-everybody":
            return 403, self.headers(caller.per_minute, 0, at + MINUTE)
        if self.everybody_banned:
            return self.limited(caller.per_minute, at + MINUTE)
        if caller.blocked_until is not None and at < caller.blocked_until:
            return self.limited(caller.per_minute, caller.blocked_until if self.fault == "ban-temporary" else at + 1)
        return None
