package petstore

import io.ktor.http.*
import io.ktor.server.application.*
import io.ktor.server.plugins.*
import io.ktor.server.request.*
import io.ktor.server.response.*
import io.ktor.server.routing.*
import io.ktor.util.*
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.atomic.AtomicLong
import kotlinx.coroutines.delay
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.Json

@Serializable data class NewCategory(val name: String, val description: String? = null)
@Serializable data class LooseCategory(val name: String = "", val description: String? = null)
@Serializable data class Category(val id: Long, val name: String, val description: String? = null)
@Serializable data class IdAsText(val id: String, val name: String, val description: String? = null)
@Serializable data class Dated(val id: Long, val name: String, val description: String? = null, val createdAt: String, val tags: List<String> = listOf("a"))

val categories = CopyOnWriteArrayList<Category>()
val nextId = AtomicLong(if (broken("ids-from-2-53")) 9007199254740993L else 1L)

fun Route.routes() {
  get("/categories") {
    if (broken("list-304")) {
      val tag = "\"${categories.size}\""
      call.response.header("ETag", tag)
      if (call.request.header("If-None-Match") == tag) return@get call.respond(HttpStatusCode.NotModified)
    }
    if (broken("slow-list")) delay(80)
    val all: List<Category> = when {
      broken("newest-first") -> categories.reversed()
      broken("distinct-names") -> categories.distinctBy { it.name }
      broken("distinct-ignoring-case") -> categories.distinctBy { it.name.trim().lowercase() }
      broken("take-twenty") -> categories.take(20)
      broken("take-last-fifteen") -> categories.takeLast(15)
      broken("filter-not-null") -> categories.filter { it.description != null }
      broken("first-is-lost") -> categories.drop(1)
      else -> categories
    }
    when {
      broken("wrapped") -> call.respond(mapOf("categories" to all))
      broken("dated") -> call.respond(all.map { Dated(it.id, it.name, it.description, "2026-01-01T00:00:00Z") })
      broken("ids-as-text-in-list") -> call.respond(all.map { IdAsText(it.id.toString(), it.name, it.description) })
      else -> call.respond(all)
    }
  }
  post("/categories") {
    if (broken("json-only") && !call.request.contentType().match(ContentType.Application.Json)) throw Rejected("The body has to be JSON.", HttpStatusCode.UnsupportedMediaType)
    val sent = when {
      broken("received-as-shipped") -> call.receive<NewCategory>()
      broken("loose") -> reader.decodeFromString(LooseCategory.serializer(), call.receiveText()).let { NewCategory(it.name, it.description) }
      else -> reader.decodeFromString(NewCategory.serializer(), call.receiveText())
    }
    val name = stored(sent.name)
    val description = sent.description?.let { stored(it) }
    if (broken("name-not-blank") && name.isBlank()) throw Rejected("name must not be blank")
    if (broken("name-to-30") && name.length > 30) throw Rejected("name is too long")
    if (broken("name-pattern") && !Regex("[\\p{L}\\p{N} _-]{1,64}").matches(name)) throw Rejected("name has other characters")
    if (broken("name-ascii") && name.any { it.code > 126 || it.code < 32 }) throw Rejected("name is not ASCII", HttpStatusCode.UnprocessableEntity)
    if (broken("description-to-40") && (description?.length ?: 0) > 40) throw Rejected("description is too long")
    val id = when {
      broken("ids-random") -> kotlin.random.Random.nextLong(0, Long.MAX_VALUE)
      broken("ids-negative") -> -nextId.getAndIncrement()
      broken("ids-racy") -> (categories.maxOfOrNull { it.id } ?: 0L).also { delay(5) } + 1
      else -> nextId.getAndIncrement()
    }
    if (broken("unique-409") && categories.any { it.name == name }) throw Rejected("The name exists.", HttpStatusCode.Conflict)
    if (broken("unique-ignoring-case-400") && categories.any { it.name.equals(name, true) }) throw Rejected("The name exists.")
    if (broken("ids-racy-409")) {
      val next = (categories.maxOfOrNull { it.id } ?: 0L) + 1
      delay(8)
      synchronized(categories) {
        if (categories.any { it.id == next }) null else Category(next, name, description).also { categories.add(it) }
      }?.let { return@post call.respond(HttpStatusCode.Created, it) } ?: throw Rejected("The category exists.", HttpStatusCode.Conflict)
    }
    val made = Category(id, name, description)
    if (!(broken("not-stored-without-description") && description == null)) categories.add(made)
    if (broken("location")) call.response.header("Location", "/v1/categories/$id")
    when {
      broken("200-for-created") -> call.respond(made)
      broken("201-without-body") -> call.respond(HttpStatusCode.Created)
      broken("dated") -> call.respond(HttpStatusCode.Created, Dated(id, name, description, "2026-01-01T00:00:00Z"))
      else -> call.respond(HttpStatusCode.Created, made)
    }
  }
  get("/store/orders") { if (broken("orders-404")) throw Rejected("no orders", HttpStatusCode.NotFound) else call.respond(listOf<Category>()) }
  get("/pets/{petId}") {
    call.error(HttpStatusCode.NotFound, "not_found", "There is no such pet.")
  }
}

/** How bodies are read: a number is no text unless the reader is lenient. */
private val reader = Json { ignoreUnknownKeys = !broken("unknown-rejected"); isLenient = broken("lenient") }

fun stored(text: String): String = when {
  broken("trimmed") -> text.trim()
  broken("trim-indent") -> text.trimIndent()
  broken("escaped-html") -> text.escapeHTML()
  broken("capitalized") -> text.replaceFirstChar { it.uppercase() }
  broken("nfc") -> java.text.Normalizer.normalize(text, java.text.Normalizer.Form.NFC)
  broken("nfkc") -> java.text.Normalizer.normalize(text, java.text.Normalizer.Form.NFKC)
  broken("latin-1") -> String(text.toByteArray(Charsets.ISO_8859_1), Charsets.ISO_8859_1)
  broken("url-decoded") -> text.decodeURLQueryComponent(plusIsSpace = true)
  broken("take-24") -> text.take(24)
  else -> text
}
