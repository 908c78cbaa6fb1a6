package petstore

import io.ktor.http.*
import io.ktor.server.application.*
import io.ktor.server.request.*
import io.ktor.server.response.*
import io.ktor.util.pipeline.*
import java.time.ZoneOffset
import java.time.ZonedDateTime
import java.time.format.DateTimeFormatter
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicInteger
import kotlin.math.ceil
import kotlin.math.floor
import kotlin.math.max
import kotlin.math.min
import kotlin.random.Random
import kotlin.time.Duration.Companion.seconds

/** The limiter before the key: what it counts, and the headers of every response. */
class Limits {
  private val limiters = ConcurrentHashMap<String, Strategy>()
  private val addresses = ConcurrentHashMap<String, Strategy>()
  private val bans = ConcurrentHashMap<String, Int>()
  private val started = ConcurrentHashMap<String, Long>()

  private fun create(): Strategy = when {
    broken("log") -> Log()
    broken("bucket") -> Bucket(perMinute.toDouble(), 0)
    broken("bucket-in-six-pieces") -> Bucket(perMinute.toDouble(), 6)
    broken("bucket-in-two-pieces") -> Bucket(perMinute.toDouble(), 2)
    broken("bucket-of-twenty", "twenty-and-a-window") -> Bucket(20.0, 0)
    broken("bucket-of-one") -> Bucket(1.0, 0)
    broken("aligned") -> Aligned()
    else -> Ktor()
  }

  suspend fun gate(context: PipelineContext<Unit, ApplicationCall>) {
    val call = context.call
    val authorization = call.request.headers["Authorization"]
    val token = Regex("(?i)^bearer +(.*)$").find(authorization ?: "")?.groupValues?.get(1)
    val known = token != null && (token in keys || token == exhausted)
    val decision = decide(call, if (known) token!! else null)
    headers(call, decision)
    if (decision.accepted) return
    if (broken("429-text")) call.respondText("Too many requests", ContentType.Text.Plain, HttpStatusCode.TooManyRequests)
    else call.respond(HttpStatusCode.TooManyRequests)
    context.finish()
  }

  private suspend fun decide(call: ApplicationCall, key: String?): Decision {
    if (key == null) {
      if (broken("anonymous-not-limited")) return Decision(true, perMinute, perMinute, minute.toDouble(), 0.0)
      if (broken("anonymous-by-30")) return addresses.computeIfAbsent("x") { Bucket(30.0, 0) }.take().copy(limit = 30)
      return addresses.computeIfAbsent("x") { create() }.take()
    }
    val today = daily.computeIfAbsent(key) { AtomicInteger(if (it == exhausted) perDay else 0) }
    val midnight = ZonedDateTime.now(ZoneOffset.UTC).let { java.time.Duration.between(it, it.toLocalDate().plusDays(1).atStartOfDay(ZoneOffset.UTC)).toMillis() / 1e3 }
    if (today.get() >= perDay) return Decision(false, perDay, 0, midnight, midnight)
    val who = when {
      broken("by-path") -> key + call.request.path()
      broken("by-method") -> key + call.request.httpMethod.value
      broken("by-agent") -> key + call.request.userAgent()
      broken("by-forwarded") -> call.request.headers["X-Forwarded-For"] ?: "x"
      broken("by-header") -> call.request.headers["Authorization"] ?: ""
      broken("forgotten") -> key + ((System.nanoTime() - started.computeIfAbsent(key) { System.nanoTime() }) / (minute * 1_000_000_000L / 3))
      else -> key
    }
    if (broken("post-free") && call.request.httpMethod == HttpMethod.Post) {
      val seen = limiters.computeIfAbsent(who) { create() }
      return seen.take(0)
    }
    val cost = if (broken("post-costs-two") && call.request.httpMethod == HttpMethod.Post) 2 else 1
    val banned = bans[key] ?: 0
    if (broken("bans") && banned > 5) return Decision(false, perMinute, 0, minute.toDouble(), minute.toDouble())
    var decision = limiters.computeIfAbsent(who) { create() }.take(cost)
    if (decision.accepted) today.incrementAndGet() else bans.merge(key, 1, Int::plus)
    if (broken("day-in-headers") && decision.accepted) decision = decision.copy(limit = perDay, remaining = perDay - today.get(), reset = midnight)
    if (broken("remaining-before")) decision = decision.copy(remaining = min(perMinute, decision.remaining + if (decision.accepted) 1 else 0))
    return decision
  }

  private fun headers(call: ApplicationCall, decision: Decision) {
    val at = wall() + decision.reset
    val reset = when {
      broken("reset-floor") -> floor(at).toLong().toString()
      broken("reset-and-one") -> (floor(at).toLong() + 1).toString()
      broken("reset-in-ms") -> (at * 1000).toLong().toString()
      broken("reset-seconds-left") -> ceil(decision.reset).toLong().toString()
      broken("reset-iso") -> java.time.Instant.ofEpochSecond(at.toLong()).toString()
      broken("reset-is-now") -> floor(wall()).toLong().toString()
      else -> ceil(at).toLong().toString()
    }
    val names = if (broken("lower-case")) listOf("x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "retry-after") else listOf("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After")
    if (!(broken("headers-only-on-success") && !decision.accepted)) {
      call.response.header(names[0], if (broken("limit-with-window")) "${decision.limit}, ${decision.limit};w=$minute" else decision.limit.toString())
      call.response.header(names[1], decision.remaining.toString())
      call.response.header(names[2], reset)
    }
    if (broken("draft-headers")) { call.response.header("RateLimit", "limit=60, remaining=5, reset=1"); call.response.header("RateLimit-Policy", "60;w=60") }
    if (broken("retry-after-everywhere")) call.response.header(names[3], ceil(decision.reset).toLong().toString())
    else if (!decision.accepted) {
      val wait = when {
        broken("retry-after-missing") -> return
        broken("retry-after-date") -> DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC).plusNanos((decision.retry * 1e9).toLong()).plusSeconds(1))
        broken("retry-after-local-date") -> DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.ofHours(1)).plusNanos((decision.retry * 1e9).toLong()).plusSeconds(1))
        broken("retry-after-window", "twenty-and-a-window") -> minute.toString()
        broken("retry-after-jitter") -> (ceil(decision.retry).toLong() + Random.nextLong(0, 3)).toString()
        broken("retry-after-floor") -> floor(decision.retry).toLong().toString()
        broken("retry-after-fraction") -> decision.retry.toString()
        broken("retry-after-ms") -> (decision.retry * 1000).toLong().toString()
        broken("retry-after-duration") -> decision.retry.seconds.toString()
        broken("retry-after-one") -> "1"
        else -> max(1, ceil(decision.retry).toLong()).toString()
      }
      call.response.header(names[3], wait)
    }
  }
}
