//! The Pet Store Service with axum, serde and governor.
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::{from_fn, from_fn_with_state, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{Quota, RateLimiter};
use serde::{Deserialize, Serialize};
use serde_json::{json, Value};
use std::num::NonZeroU32;
use std::sync::{Arc, LazyLock, Mutex, RwLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::Semaphore;

static BREAK: LazyLock<String> = LazyLock::new(|| std::env::var("BREAK").unwrap_or_default());
fn is(id: &str) -> bool {
    *BREAK == id
}
fn setting(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} is missing"))
}
fn number(name: &str) -> u32 {
    setting(name).parse().expect(name)
}

#[derive(Clone, Serialize)]
struct Category {
    id: i64,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
}

/// `description` may be absent; null is not a string.
#[derive(Deserialize)]
struct NewCategory {
    name: String,
    #[serde(default, deserialize_with = "text")]
    description: Option<String>,
}
fn text<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    if is("null-description-accepted") {
        return Option::deserialize(from);
    }
    String::deserialize(from).map(Some)
}

type Limiter = RateLimiter<String, DefaultKeyedStateStore<String>, DefaultClock, StateInformationMiddleware>;
struct Service {
    keys: Vec<String>,
    exhausted: String,
    minute: Limiter,
    day: Limiter,
    categories: RwLock<Vec<Category>>,
    snapshot: Mutex<Vec<Category>>,
    busy: Semaphore,
}
type Shared = Arc<Service>;

fn error(status: u16, code: &str, message: &str) -> Response {
    let code_of = StatusCode::from_u16(status).expect("a status");
    if is("errors-empty") {
        return code_of.into_response();
    }
    let told = if is("status-as-string") { json!(status.to_string()) } else { json!(status) };
    let message = if is("message-as-list") { json!([message]) } else { json!(message) };
    let code = if is("code-is-null-on-401") && status == 401 { Value::Null } else { json!(code) };
    (code_of, Json(json!({ "code": code, "message": message, "status": told }))).into_response()
}

fn caller(service: &Service, headers: &HeaderMap) -> Option<String> {
    let (scheme, token) = headers.get("authorization")?.to_str().ok()?.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("bearer") && !is("scheme-ignored") {
        return None;
    }
    let given = if is("key-trimmed-of-dashes") { token.trim_matches('-') } else { token };
    let matches = |key: &&String| {
        *key == given
            || is("key-contains") && !given.is_empty() && key.contains(given)
            || is("key-compared-to-length-of-key") && given.len() >= key.len() && given[..key.len()] == **key
            || is("key-compared-by-length") && given.len() == key.len()
    };
    service.keys.iter().chain([&service.exhausted]).find(matches).cloned()
}

fn seconds_from_now(wait: Duration) -> u64 {
    let at = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock") + wait;
    if is("reset-rounded-to-past") { at.as_secs() - wait.as_secs() - 5 } else { at.as_secs() + 1 }
}

async fn limit(State(service): State<Shared>, request: Request, next: Next) -> Response {
    let known = caller(&service, request.headers());
    let mut key = known.clone().unwrap_or_else(|| "anonymous".into());
    if is("limit-by-real-ip") {
        key += request.headers().get("x-real-ip").map(|v| v.to_str().unwrap_or("")).unwrap_or("");
    }
    if is("limit-by-path") {
        key += request.uri().path();
    }
    if is("creations-not-limited") && request.method() == "POST" {
        return next.run(request).await;
    }
    if known.as_ref() == Some(&service.exhausted) {
        while service.day.check_key(&key).is_ok() {}
    }
    let per_minute = number("PER_MINUTE");
    let nanos = u64::from(number("MINUTE_SECONDS")) * 1_000_000_000 / u64::from(per_minute);
    let wait_of = |limiter: &Limiter| match limiter.check_key(&key) {
        Ok(state) => Ok(state.remaining_burst_capacity()),
        Err(not_until) => Err(not_until.wait_time_from(DefaultClock::default().now())),
    };
    let today = if is("day-not-enforced") { Ok(0) } else { wait_of(&service.day) };
    let (shown, result) = match today {
        Err(wait) => (number("PER_DAY"), Err(wait)),
        Ok(_) => (per_minute, wait_of(&service.minute)),
    };
    let (mut response, remaining, wait) = match result {
        Ok(left) => (next.run(request).await, left, None),
        Err(wait) => (error(429, "rate_limited", "Too many requests."), 0, Some(wait)),
    };
    let until_full = Duration::from_nanos(nanos * u64::from(per_minute - remaining.min(per_minute)));
    let headers = response.headers_mut();
    let mut put = |name: &'static str, value: String| {
        headers.insert(name, HeaderValue::from_str(&value).expect("ASCII"));
    };
    if is("headers-on-success-only") && response_is_error(wait, &mut put) {
        return response;
    }
    if !(is("remaining-before-429-only") && wait.is_some()) {
        let left = if is("remaining-as-float") { format!("{remaining}.0") } else { remaining.to_string() };
        put("x-ratelimit-remaining", left);
    }
    put("x-ratelimit-limit", if is("limit-with-policy") { format!("{shown};w=60") } else { shown.to_string() });
    let wait_full = wait.map_or(until_full, |w| w.max(until_full));
    let reset = if is("reset-as-date") { httpdate() } else { seconds_from_now(wait_full).to_string() };
    put("x-ratelimit-reset", reset);
    if let Some(wait) = wait {
        let seconds = if is("retry-after-floor") { wait.as_secs() } else { wait.as_secs() + 1 };
        put("retry-after", if is("retry-after-debug") { format!("{wait:?}") } else { seconds.to_string() });
    }
    response
}
fn response_is_error(wait: Option<Duration>, put: &mut impl FnMut(&'static str, String)) -> bool {
    if wait.is_some() {
        put("retry-after", "1".into());
    }
    wait.is_some()
}
fn httpdate() -> String {
    "2026-12-24T18:00:00Z".into()
}

async fn authenticate(State(service): State<Shared>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let open = is("pets-open") && path.starts_with("/pets") || is("post-open") && request.method() == "POST";
    if open || caller(&service, request.headers()).is_some() {
        return next.run(request).await;
    }
    let mut response = error(401, "unauthorized", "The API key is missing or invalid.");
    response.headers_mut().insert("www-authenticate", HeaderValue::from_static("Bearer"));
    response
}

async fn list(State(service): State<Shared>) -> Response {
    let _slot = if is("shed-under-load") {
        let slot = service.busy.try_acquire();
        tokio::time::sleep(Duration::from_millis(20)).await;
        match slot {
            Ok(slot) => Some(slot),
            Err(_) => return error(503, "overloaded", "Try again."),
        }
    } else {
        None
    };
    let Ok(categories) = service.categories.read() else { return error(500, "poisoned", "The lock is poisoned.") };
    let mut shown = categories.clone();
    if is("one-behind") {
        let mut snapshot = service.snapshot.lock().expect("a lock");
        shown = std::mem::replace(&mut *snapshot, shown);
    }
    if is("descriptions-left-out-of-lists") {
        shown.iter_mut().for_each(|one| one.description = None);
    }
    if is("duplicates-by-lower-case-merged") {
        shown.dedup_by(|a, b| a.name.to_lowercase() == b.name.to_lowercase());
    }
    if is("ids-as-u32") {
        return Json(shown.iter().map(|c| json!({ "id": c.id as u32, "name": c.name })).collect::<Vec<_>>()).into_response();
    }
    Json(shown).into_response()
}

fn altered(name: String) -> String {
    match BREAK.as_str() {
        "name-lower-case" => name.to_lowercase(),
        "name-trimmed" => name.trim().into(),
        "name-cut-after-50" => name.chars().take(50).collect(),
        "name-ascii-only" => name.chars().filter(char::is_ascii).collect(),
        "name-slug" => name.replace(' ', "-"),
        "line-breaks-lost" => name.replace('\n', " "),
        _ => name,
    }
}

async fn create(State(service): State<Shared>, headers: HeaderMap, body: Bytes) -> Response {
    let json = headers.get("content-type").is_some_and(|v| v == "application/json");
    if is("type-compared-exactly") && !json {
        return error(415, "unsupported", "application/json only");
    }
    let made = match serde_json::from_slice::<NewCategory>(&body) {
        Ok(made) => made,
        Err(why) if is("serde-422") => return (StatusCode::UNPROCESSABLE_ENTITY, why.to_string()).into_response(),
        Err(why) => return error(400, "invalid_category", &why.to_string()),
    };
    let Ok(mut categories) = service.categories.write() else { return error(500, "poisoned", "The lock is poisoned.") };
    if is("panic-poisons-lock") && made.name.len() > 100 {
        panic!("value too long");
    }
    let first = if is("ids-beyond-2-53") || is("ids-as-u32") { 9_007_199_254_740_993 } else { 1 };
    let mut one = Category { id: first + categories.len() as i64, name: altered(made.name), description: made.description };
    if is("id-of-new-is-zero") {
        one.id = 0;
    }
    let mut stored = one.clone();
    if is("description-swapped-when-stored") {
        stored.description = Some(stored.name.clone());
    }
    if is("id-of-new-is-zero") {
        stored.id = first + categories.len() as i64;
    }
    categories.push(stored);
    (StatusCode::CREATED, Json(one)).into_response()
}

async fn unimplemented() -> Response {
    if is("pets-open") { Json(json!([])).into_response() } else { error(501, "not_implemented", "Not implemented yet.") }
}

async fn serve_safely(request: Request, next: Next) -> Response {
    match tokio::spawn(next.run(request)).await {
        Ok(response) => response,
        Err(_) => error(500, "internal", "Internal error."),
    }
}

#[tokio::main]
async fn main() {
    let quota = |n: u32, seconds: u32| {
        let n = NonZeroU32::new(n).expect("a limit");
        Quota::with_period(Duration::from_secs(seconds.into()) / n.get()).expect("a period").allow_burst(n)
    };
    let limiter = |quota| RateLimiter::keyed(quota).with_middleware::<StateInformationMiddleware>();
    let service = Arc::new(Service {
        keys: setting("KEYS").split(',').map(String::from).collect(),
        exhausted: setting("EXHAUSTED_KEY"),
        minute: limiter(quota(number("PER_MINUTE"), number("MINUTE_SECONDS"))),
        day: limiter(quota(number("PER_DAY"), number("DAY_SECONDS"))),
        categories: RwLock::default(),
        snapshot: Mutex::default(),
        busy: Semaphore::new(3),
    });
    let mut api = Router::new()
        .route("/categories", get(list).post(create))
        .route("/store/orders", get(unimplemented))
        .route("/pets/{petId}", get(unimplemented))
        .fallback(|| async { error(404, "not_found", "No such operation.") })
        .method_not_allowed_fallback(|| async { error(405, "method_not_allowed", "No such method.") });
    let (auth, limits) = (from_fn_with_state(service.clone(), authenticate), from_fn_with_state(service.clone(), limit));
    api = if is("limit-after-authentication") { api.layer(limits).layer(auth) } else { api.layer(auth).layer(limits) };
    let app = Router::new().nest("/v1", api).layer(from_fn(serve_safely)).with_state(service);
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{}", setting("PORT"))).await.expect("a port");
    axum::serve(listener, app).await.expect("a server");
}
