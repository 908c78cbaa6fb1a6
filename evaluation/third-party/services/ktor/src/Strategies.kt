package petstore

import io.ktor.server.plugins.ratelimit.*
import kotlin.math.ceil
import kotlin.math.floor
import kotlin.math.max
import kotlin.math.min
import kotlin.time.Duration.Companion.seconds

/** What a limiter says: seconds until a reset and until a retry. */
data class Decision(val accepted: Boolean, val limit: Int, val remaining: Int, val reset: Double, val retry: Double)

interface Strategy { suspend fun take(cost: Int = 1): Decision }

fun now() = System.nanoTime() / 1e9
fun wall() = System.currentTimeMillis() / 1e3

/** Ktor's own: a window from the first request, refilled at once when it has ended. */
class Ktor : Strategy {
  private val limiter = RateLimiter.default(limit = perMinute, refillPeriod = if (broken("refill-half")) minute.seconds / 2 else minute.seconds)
  override suspend fun take(cost: Int) = when (val state = limiter.tryConsume(cost)) {
    is RateLimiter.State.Available -> {
      val reset = (state.refillAtTimeMillis - System.currentTimeMillis()) / 1e3
      Decision(true, perMinute, state.remainingTokens, reset, 0.0)
    }
    is RateLimiter.State.Exhausted -> state.toWait.inWholeMilliseconds.let { Decision(false, perMinute, 0, it / 1e3, it / 1e3) }
  }
}

/** A sliding log. */
class Log : Strategy {
  private val log = ArrayDeque<Double>()
  override suspend fun take(cost: Int): Decision = synchronized(this) {
    val at = now()
    while (log.isNotEmpty() && log.first() <= at - minute) log.removeFirst()
    if (log.size >= perMinute) return Decision(false, perMinute, 0, log.first() + minute - at, log.first() + minute - at)
    log.addLast(at)
    val end = log.first() + minute - at
    Decision(true, perMinute, perMinute - log.size, end, 0.0)
  }
}

/** A bucket of this size that is refilled continuously, or in so many pieces a minute. */
class Bucket(private val size: Double, private val pieces: Int) : Strategy {
  private var level = size
  private var at = now()
  override suspend fun take(cost: Int): Decision = synchronized(this) {
    val time = now()
    val rate = perMinute.toDouble() / minute
    if (pieces == 0) { level = min(size, level + (time - at) * rate); at = time }
    else { val every = minute.toDouble() / pieces; val n = floor((time - at) / every); if (n > 0) { level = min(size, level + n * perMinute / pieces); at += n * every } }
    val next = if (pieces == 0) max(0.0, (1 - level) / rate) else at + minute.toDouble() / pieces - time
    if (level < 1) return Decision(false, perMinute, 0, if (broken("bucket-resets-when-full")) fullIn(time) else next, next)
    level -= 1
    Decision(true, perMinute, floor(level).toInt(), if (broken("bucket-resets-when-full")) fullIn(time) else if (pieces == 0) max(0.0, (floor(level) + 1 - level) / rate) else next, 0.0)
  }
  private fun fullIn(time: Double): Double =
    if (pieces == 0) (size - level) * minute / perMinute
    else { val every = minute.toDouble() / pieces; val missing = size - level; val n = max(1.0, ceil(missing / (perMinute.toDouble() / pieces))); at + n * every - time }
}

/** Windows of the clock. */
class Aligned : Strategy {
  private val step = minute.toDouble()
  private var window = -1L
  private var used = 0
  override suspend fun take(cost: Int): Decision = synchronized(this) {
    val phase = wall() / step
    if (floor(phase).toLong() != window) { window = floor(phase).toLong(); used = 0 }
    val left = (floor(phase) + 1) * step - wall()
    if (used >= perMinute) return Decision(false, perMinute, 0, left, left)
    used += 1
    Decision(true, perMinute, perMinute - used, left, 0.0)
  }
}
