"""How many requests arrive, and what a fault does to them before they are served."""

import collections
import os
import time
from dataclasses import dataclass

MINUTE = float(os.environ["MINUTE_SECONDS"])


@dataclass(frozen=True)
class Harm:
    delay: float = 0.0
    status: int = 0
    hangs: bool = False


class Pressure:
    def __init__(self, fault, per_minute):
        self.fault = fault
        self.high = 1.5 * per_minute / MINUTE
        self.arrivals = collections.deque()
        self.started = None
        self.requests = 0
        self.was_above = False
        self.offender = None
        self.excess_at = 0.0

    def elapsed(self):
        return 0.0 if self.started is None else time.monotonic() - self.started

    def above(self):
        """Whether more arrived within the last second than half as much again as one key may send."""
        return len(self.arrivals) > self.high

    def exceeded(self, key):
        self.offender = self.offender or key
        self.excess_at = time.monotonic()

    def arrive(self, key):
        now = time.monotonic()
        self.started = self.started or now
        self.requests += 1
        self.arrivals.append(now)
        while self.arrivals[0] < now - 1:
            self.arrivals.popleft()
        self.was_above = self.was_above or self.above()
        return self.harm(key, now)

    def harm(self, key, now):
        fault, elapsed = self.fault, now - self.started
        neighbour = self.offender is not None and key != self.offender
        if fault == "neighbour-slowed" and neighbour and now - self.excess_at < MINUTE:
            return Harm(delay=0.6)
        if fault == "neighbour-slowed-for-ever" and neighbour:
            return Harm(delay=0.6)
        if fault == "latency-grows":
            return Harm(delay=elapsed / 20)
        if fault == "errors-grow" and elapsed > 6 * MINUTE and self.requests % 4 == 0:
            return Harm(status=500)
        if fault == "crashes-under-load" and self.above() and self.requests % 5 == 0:
            return Harm(status=500)
        if fault == "no-recovery-after-spike" and self.was_above:
            return Harm(delay=0.9)
        if fault == "slow-above-rate" and self.above():
            return Harm(delay=1.2)
        if fault == "unavailable-above-rate" and self.above():
            return Harm(status=503)
        if fault == "hangs-above-rate" and self.was_above:
            return Harm(hangs=True)
        if fault == "always-slow":
            return Harm(delay=0.3)
        if fault == "pauses":  # as of a collector: a quarter of a second in every three
            return Harm(delay=max(0.0, 0.25 - elapsed % 3))
        return Harm()
