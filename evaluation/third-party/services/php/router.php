<?php
// The Pet Store Service with plain PHP, PDO, SQLite and Symfony's RateLimiter, on the built-in server with workers.

require_once 'Symfony/Component/RateLimiter/autoload.php';

use Symfony\Component\RateLimiter\LimiterStateInterface;
use Symfony\Component\RateLimiter\Policy\SlidingWindowLimiter;
use Symfony\Component\RateLimiter\Storage\StorageInterface;

const NO_VALUE = "\0none";
ini_set('display_errors', '0');
if (broken("warnings-printed")) {
    ini_set('display_errors', '1');
    ini_set('html_errors', '1');
}

function broken(string ...$ids): bool
{
    return in_array(getenv('BREAK'), $ids, true);
}

function connect(): PDO
{
    $db = new PDO('sqlite:' . getenv('SCRATCH') . '/store.db', options: [PDO::ATTR_TIMEOUT => 10]);
    $db->exec('PRAGMA journal_mode = WAL');
    $db->exec('CREATE TABLE IF NOT EXISTS categories (id INTEGER PRIMARY KEY, name TEXT, description TEXT, deleted INTEGER DEFAULT 0)');
    $db->exec('CREATE TABLE IF NOT EXISTS limits (id TEXT PRIMARY KEY, state BLOB)');
    $db->setAttribute(PDO::ATTR_STRINGIFY_FETCHES, broken("ids-fetched-as-strings"));
    return $db;
}

/** Symfony's state in a table; the transaction around it is the lock. */
final class Table implements StorageInterface
{
    public function __construct(private PDO $db) {}

    public function save(LimiterStateInterface $state): void
    {
        $this->db->prepare('REPLACE INTO limits VALUES (?, ?)')->execute([$state->getId(), serialize($state)]);
    }

    public function fetch(string $id): ?LimiterStateInterface
    {
        $row = $this->db->prepare('SELECT state FROM limits WHERE id = ?');
        $row->execute([$id]);
        $found = $row->fetchColumn();
        return $found === false ? null : unserialize($found);
    }

    public function delete(string $id): void {}
}

function respond(int $status, mixed $body, array $headers = []): never
{
    global $limits;
    if (!(broken("headers-not-on-errors") && in_array($status, [400, 401], true))) {
        foreach ($limits ?? [] as $name => $value) header("$name: $value");
    }
    foreach ($headers as $name => $value) header("$name: $value", false);
    http_response_code(broken("errors-are-200") && $status === 400 ? 200 : $status);
    if (!broken("type-of-php")) header('Content-type: application/json' . ($status < 300 ? ';charset=UTF-8' : ''));
    if (broken("type-of-php") && $status >= 400) header('Content-type: application/json');
    $flags = (broken("numeric-check") ? JSON_NUMERIC_CHECK : 0) | (broken("list-as-object") ? JSON_FORCE_OBJECT : 0);
    $flags |= broken("unicode-unescaped") ? JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_PRETTY_PRINT : 0;
    $flags |= broken("hex-tags") ? JSON_HEX_TAG | JSON_HEX_AMP | JSON_HEX_QUOT | JSON_HEX_APOS : 0;
    $flags |= broken("invalid-characters-ignored") ? JSON_INVALID_UTF8_IGNORE : 0;
    $text = $body === NO_VALUE ? '' : json_encode($body, $flags);
    echo broken("byte-order-mark-of-file") ? "\u{FEFF}$text" : $text;
    exit;
}

function failure(int $status, string $code, string $message, array $headers = []): never
{
    $body = ['status' => $status, 'code' => $code, 'message' => $message];
    if (broken("status-as-numeric-string")) $body['status'] = "$status";
    if (broken("code-is-exception-code")) $body['code'] = 0;
    if (broken("message-is-array") && $status === 400) $body['message'] = ['name' => [$message]];
    if (broken("trace-beside-error")) $body += ['trace' => ['#0 {main}'], 'file' => 'router.php', 'line' => 7];
    respond($status, $body, $headers);
}

function token(): ?string
{
    $given = $_SERVER['HTTP_AUTHORIZATION'] ?? '';
    if (broken("basic-password") && isset($_SERVER['PHP_AUTH_PW'])) return $_SERVER['PHP_AUTH_PW'];
    if (broken("request-parameter") && isset($_REQUEST['api_key'])) return $_REQUEST['api_key'];
    if (broken("bearer-replaced")) return trim(str_ireplace(['Bearer', 'Token'], '', $given));
    if (broken("bearer-anywhere") && preg_match('/(\S+)$/', $given, $found)) return $found[1];
    return preg_match('/^Bearer +(\S+)$/i', $given, $found) === 1 ? $found[1] : null;
}

function known(?string $token): ?string
{
    foreach ([...explode(',', getenv('KEYS')), getenv('EXHAUSTED_KEY')] as $key) {
        if ($token === $key) return $key;
        if (broken("key-by-similarity") && $token !== null && similar_text($key, $token) >= strlen($key) - 2) return $key;
        if (broken("keys-by-like") && $token !== null && fnmatch($token, $key)) return $key;
        if (broken("key-trimmed-right") && $token !== null && rtrim($token, 'x') === $key) return $key;
    }
    return null;
}

/** Takes one request of the day and the minute; the headers, and the wait in seconds where there is none left. */
function take(PDO $db, string $caller): array
{
    [$limit, $minute, $perDay, $day] = array_map(fn ($name) => (int) getenv($name), ['PER_MINUTE', 'MINUTE_SECONDS', 'PER_DAY', 'DAY_SECONDS']);
    $now = microtime(true);
    $db->exec('BEGIN IMMEDIATE');
    $used = new Table($db);
    $today = "day:$caller:" . intdiv((int) $now, $day);
    $count = $db->query('SELECT state FROM limits WHERE id = ' . $db->quote($today))->fetchColumn();
    $count = $caller === getenv('EXHAUSTED_KEY') ? $perDay : (int) $count;
    $midnight = (intdiv((int) $now, $day) + 1) * $day;
    if ($count >= $perDay && !broken("no-day")) {
        $db->exec('COMMIT');
        return [headersOf($perDay, 0, $midnight), $midnight - $now];
    }
    if (broken("counter-in-file")) return takeFromFile($db, $caller, $limit, $minute);
    $consumed = (new SlidingWindowLimiter($caller, $limit, new DateInterval("PT{$minute}S"), $used))->consume();
    if ($consumed->isAccepted()) $db->prepare('REPLACE INTO limits VALUES (?, ?)')->execute([$today, $count + 1]);
    $db->exec('COMMIT');
    $ends = (float) $consumed->getRetryAfter()->format('U.u');
    // A sliding window is still full when the next one begins: two requests fit only after a part of it.
    $wait = broken("retry-at-end-of-window") ? $ends - $now : $ends - $now + 2 * $minute / $limit;
    $left = max(0, $consumed->getRemainingTokens());
    return [headersOf($limit, $left, $ends), $consumed->isAccepted() ? null : $wait];
}

function takeFromFile(PDO $db, string $caller, int $limit, int $minute): array
{
    $db->exec('COMMIT');
    $file = getenv('SCRATCH') . '/' . md5($caller);
    [$began, $count] = is_file($file) ? explode(' ', (string) file_get_contents($file)) + [0, 0] : [0, 0];
    if (microtime(true) - (float) $began > $minute) [$began, $count] = [microtime(true), 0];
    usleep(5000);
    file_put_contents($file, "$began " . ((int) $count + 1));
    $ends = (float) $began + $minute;
    return [headersOf($limit, max(0, $limit - $count - 1), $ends), $count >= $limit ? $ends - microtime(true) : null];
}

function headersOf(int $limit, int $left, float $ends): array
{
    $reset = (string) (int) ceil($ends);
    if (broken("reset-with-microtime")) $reset = sprintf('%.4F', $ends);
    if (broken("reset-as-atom-date")) $reset = date(DATE_ATOM, (int) $ends);
    if (broken("reset-in-minutes")) $reset = (string) intdiv((int) $ends, 60);
    $all = ['x-ratelimit-limit' => broken("limit-quoted") ? "\"$limit\"" : $limit, 'x-ratelimit-remaining' => $left, 'x-ratelimit-reset' => $reset];
    if (broken("reset-only-on-429") && $left > 0) unset($all['x-ratelimit-reset']);
    if (broken("remaining-empty-at-zero") && $left === 0) $all['x-ratelimit-remaining'] = '';
    return $all;
}

function shown(array $row): array
{
    $one = ['id' => broken("ids-through-float") ? (float) $row['id'] : $row['id'], 'name' => $row['name']];
    if ($row['description'] !== null) $one['description'] = $row['description'];
    if (broken("null-description")) $one['description'] = $row['description'];
    return $one;
}

function text(mixed $value): string
{
    if (broken("strval-of-scalars") && is_scalar($value)) return (string) $value;
    if (broken("numeric-allowed") && (is_int($value) || is_float($value))) return (string) $value;
    if (!is_string($value)) failure(400, 'invalid_category', 'A text is required.');
    return $value;
}

function cleaned(string $text): string
{
    if (broken("slashes-added")) $text = addslashes($text);
    if (broken("slashes-stripped")) $text = stripslashes($text);
    if (broken("url-decoded")) $text = urldecode($text);
    if (broken("filtered")) $text = str_replace(['<', '>', '"', "'"], '', $text);
    if (broken("entities-decoded")) $text = html_entity_decode($text);
    if (broken("new-lines-to-br")) $text = nl2br($text);
    if (broken("upper-case-first")) $text = ucfirst($text);
    if (broken("width-trimmed")) $text = preg_replace('/^(.{254}).+$/us', '$1…', $text);
    if (broken("bytes-cut")) $text = substr($text, 0, 20);
    return $text;
}

function create(PDO $db): never
{
    $raw = (string) file_get_contents('php://input');
    $data = json_decode($raw, broken("objects-as-arrays"));
    if (broken("malformed-is-null")) $data ??= (object) ['name' => 'untitled'];
    if (broken("nested-casts") && is_array($data)) $data = (object) ($data[0] ?? null);
    if (broken("warnings-printed") && is_object($data) && !property_exists($data, 'name')) $unused = $data->name;
    if (!is_object($data) && !broken("objects-as-arrays")) failure(400, 'invalid_body', 'The body must be a JSON object.');
    $data = (array) $data;
    if (!array_key_exists('name', $data)) failure(400, 'invalid_category', 'name is required.');
    $name = broken("name-not-checked") ? json_encode($data['name']) : cleaned(text($data['name']));
    $description = null;
    if (array_key_exists('description', $data)) {
        $given = $data['description'];
        if (broken("description-if-not-empty")) $description = empty($given) ? null : cleaned(text($given));
        elseif (broken("description-if-isset") && $given === null) $description = null;
        else $description = cleaned(text($given));
    }
    if (broken("unique-names")) {
        $row = $db->prepare('SELECT * FROM categories WHERE name = ? COLLATE NOCASE');
        $row->execute([$name]);
        if ($row->fetch()) failure(409, 'duplicate', 'The name exists.');
    }
    $id = broken("id-of-client") && isset($data['id']) ? $data['id'] : random_int(1, PHP_INT_MAX);
    if (broken("small-random-ids")) $id = random_int(1, 9);
    if (broken("ids-negative")) $id = -$id;
    $insert = $db->prepare('REPLACE INTO categories (id, name, description) VALUES (?, ?, ?)');
    $insert->execute([$id, $name, $description]);
    if (broken("soft-deleted")) $db->exec("UPDATE categories SET deleted = 1 WHERE id <> $id AND description IS NULL");
    if (broken("last-insert-id")) $id = $db->lastInsertId();
    if (broken("created-without-description")) $description = null;
    respond(201, shown(['id' => $id, 'name' => $name, 'description' => $description]), ['Location' => "/v1/categories/$id"]);
}

function listed(PDO $db): never
{
    $rows = $db->query('SELECT id, name, description, deleted FROM categories ORDER BY id DESC')->fetchAll(PDO::FETCH_ASSOC);
    if (broken("slice-of-fifteen")) $rows = array_slice($rows, 0, 15);
    if (broken("filter-keeps-keys")) $rows = array_filter($rows, fn ($row) => $row['description'] !== '');
    if (broken("soft-deleted")) $rows = array_filter($rows, fn ($row) => $row['deleted'] === 0);
    if (broken("grouped-by-name")) $rows = array_values(array_column($rows, null, 'name'));
    if (broken("indexed-by-description")) $rows = array_values(array_column($rows, null, 'description'));
    $shown = array_map('shown', broken("filter-keeps-keys") ? $rows : array_values($rows));
    respond(200, broken("list-in-data") ? ['data' => $shown, 'total' => count($shown)] : $shown);
}

$db = connect();
$method = $_SERVER['REQUEST_METHOD'];
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH) ?: '/';
if (broken("path-decoded-by-router")) $routed = '/' . trim(rawurldecode($path), '/');
else $routed = broken("path-trimmed-by-router") ? rtrim($path, '/') : $path;
$caller = known(token());
$counted = $caller ?? ('address:' . $_SERVER['REMOTE_ADDR']);
if (broken("counted-by-raw-header") && $caller !== getenv('EXHAUSTED_KEY')) $counted = $_SERVER['HTTP_AUTHORIZATION'] ?? $counted;
if (broken("counted-by-forwarded-for")) $counted .= $_SERVER['HTTP_X_FORWARDED_FOR'] ?? '';
if (broken("creations-cost-three") && $method === 'POST') take($db, $counted);
if ($method === 'OPTIONS' && broken("preflight-answered")) respond(204, NO_VALUE, ['Access-Control-Allow-Origin' => '*', 'Access-Control-Allow-Methods' => 'GET, POST']);
[$limits, $wait] = take($db, $counted);
if ($wait !== null) {
    $after = (string) max(1, (int) ceil($wait));
    if (broken("retry-after-in-milliseconds")) $after = (string) (int) ceil($wait * 1000);
    if (broken("retry-after-number-format")) $after = number_format($wait, 1);
    if (broken("retry-after-relative-date")) $after = '+' . (int) ceil($wait) . ' seconds';
    if (broken("retry-after-at-once")) $after = '0';
    failure(broken("service-unavailable") ? 503 : 429, 'rate_limited', 'Too many requests.', broken("retry-after-missing-for-posts") && $method === 'POST' ? [] : ['Retry-After' => $after]);
}
$guarded = !((broken("path-trimmed-by-router", "path-decoded-by-router")) && $path !== '/v1/categories');
if ($caller === null && $guarded && !(broken("pets-open") && str_starts_with($path, '/v1/pets'))) {
    if (broken("die-unauthorized")) { http_response_code(401); die('Unauthorized'); }
    if (broken("redirect-to-login")) respond(302, NO_VALUE, ['Location' => '/login']);
    failure(401, 'unauthorized', 'The API key is missing or invalid.', ['WWW-Authenticate' => 'Bearer']);
}
if ($routed === '/v1/categories') {
    if ($method === 'POST') create($db);
    if ($method === 'GET' || $method === 'HEAD') listed($db);
    failure(405, 'method_not_allowed', 'Use GET or POST.', ['Allow' => 'GET, POST']);
}
if ($routed === '/v1/pets/1') respond(200, ['id' => 1], ['Deprecation' => '@1735689600', 'Sunset' => 'Fri, 01 Jan 2027 00:00:00 GMT']);
failure(404, 'not_found', 'No such operation.');
