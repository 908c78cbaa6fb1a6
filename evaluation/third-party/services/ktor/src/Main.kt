package petstore

import io.ktor.http.*
import io.ktor.serialization.kotlinx.json.*
import io.ktor.server.application.*
import io.ktor.server.auth.*
import io.ktor.server.cio.*
import io.ktor.server.engine.*
import io.ktor.server.plugins.*
import io.ktor.server.plugins.autohead.*
import io.ktor.server.plugins.compression.*
import io.ktor.server.plugins.contentnegotiation.*
import io.ktor.server.plugins.cors.routing.*
import io.ktor.server.plugins.defaultheaders.*
import io.ktor.server.plugins.ratelimit.*
import io.ktor.server.plugins.statuspages.*
import io.ktor.server.request.*
import io.ktor.server.response.*
import io.ktor.server.routing.*
import io.ktor.util.*
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.serialization.ExperimentalSerializationApi
import kotlinx.serialization.Serializable
import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json

val switches = System.getenv("BREAK").orEmpty().split(",").toSet()
fun broken(vararg ids: String) = ids.any { it in switches }
fun number(name: String) = System.getenv(name).toInt()

val keys = System.getenv("KEYS").split(",").toSet()
val exhausted: String = System.getenv("EXHAUSTED_KEY")
val perMinute = number("PER_MINUTE")
val perDay = number("PER_DAY")
val minute = number("MINUTE_SECONDS")

@Serializable data class Error(val code: String, val message: String, val status: Int)

class Rejected(message: String, val status: HttpStatusCode = HttpStatusCode.BadRequest) : Exception(message)

val daily = ConcurrentHashMap<String, AtomicInteger>()

/** The Pet Store Service with the plugins of Ktor; `BREAK` names what is otherwise, separated by commas. */
@OptIn(ExperimentalSerializationApi::class)
fun Application.module() {
  install(ContentNegotiation) {
    json(Json {
      encodeDefaults = broken("null-description")
      explicitNulls = broken("null-description")
      prettyPrint = broken("pretty")
      ignoreUnknownKeys = true
    })
  }
  if (!broken("no-date")) install(DefaultHeaders) // the server itself sends no Date
  if (broken("compressed")) install(Compression) { gzip(); deflate() }
  if (broken("auto-head")) install(AutoHeadResponse)
  if (broken("cors")) install(CORS) { anyHost(); allowHeader(HttpHeaders.Authorization); allowMethod(HttpMethod.Post) }

  install(Authentication) {
    bearer("key") {
      realm = "petstore"
      if (broken("any-scheme")) authSchemes("Token", "Basic")
      authenticate { credential ->
        val token = credential.token
        when {
          token in keys || token == exhausted -> UserIdPrincipal(token)
          broken("key-ignoring-case") && keys.any { it.equals(token, true) } -> UserIdPrincipal(keys.first { it.equals(token, true) })
          broken("key-starts-with") && keys.any { it.startsWith(token) } -> UserIdPrincipal(keys.first { it.startsWith(token) })
          else -> null
        }
      }
    }
  }
  install(StatusPages) {
    if (!broken("errors-as-shipped")) {
      exception<Rejected> { call, cause -> call.error(cause.status, "invalid_request", cause.message ?: "") }
      exception<BadRequestException> { call, cause -> call.error(HttpStatusCode.BadRequest, "bad_request", cause.message ?: "The body is malformed.") }
      exception<CannotTransformContentToTypeException> { call, _ -> call.error(HttpStatusCode.BadRequest, "bad_request", "The body cannot be read.") }
      if (!broken("serialization-500")) exception<SerializationException> { call, _ -> call.error(HttpStatusCode.BadRequest, "malformed", "The body is not JSON.") }
      exception<UnsupportedMediaTypeException> { call, _ -> call.error(HttpStatusCode.UnsupportedMediaType, "unsupported_media_type", "The body has to be JSON.") }
      for (one in listOf(HttpStatusCode.NotFound, HttpStatusCode.MethodNotAllowed, HttpStatusCode.NotAcceptable, HttpStatusCode.UnsupportedMediaType))
        status(one) { call: ApplicationCall, status: HttpStatusCode -> call.error(status, status.description.lowercase().replace(' ', '_'), status.description) }
      // Bearer authentication of Ktor answers 401 without a body.
      if (!broken("401-as-shipped")) status(HttpStatusCode.Unauthorized) { call: ApplicationCall, status: HttpStatusCode ->
        call.response.header("WWW-Authenticate", "Bearer realm=petstore")
        call.error(status, "unauthorized", "The key is missing or invalid.")
      }
    }
    if (!broken("429-as-shipped")) status(HttpStatusCode.TooManyRequests) { call: ApplicationCall, status: HttpStatusCode -> call.error(status, "rate_limited", "Too many requests.") }
  }
  val limits = Limits()
  intercept(ApplicationCallPipeline.Plugins) {
    // The order of the limiter and the key: the limiter counts what the header names, before Authentication runs.
    if (!broken("limits-after-key")) limits.gate(this)
  }
  routing {
    authenticate("key") {
      if (broken("limits-after-key")) intercept(ApplicationCallPipeline.Call) { limits.gate(this) }
      route("/v1") { routes() }
    }
  }
}

suspend fun ApplicationCall.error(status: HttpStatusCode, code: String, message: String) = respond(status, Error(code, message, status.value))

fun main() {
  embeddedServer(CIO, port = number("PORT"), host = "127.0.0.1", module = Application::module).start(wait = true)
}
