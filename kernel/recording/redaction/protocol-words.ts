/**
 * What HTTP, JSON, OpenAPI and the specification write themselves, in any case. None of it is a secret, and replacing it
 * would change what a judge compares with the specification.
 */
const WORDS = `
GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT HTTP/1.0 HTTP/1.1
Authorization: Bearer Basic Digest Token ApiKey Negotiate Proxy-Authorization WWW-Authenticate Proxy-Authenticate
realm error_description error_uri invalid_token invalid_request insufficient_scope challenge charset="UTF-8"
Accept Accept-Charset Accept-Encoding Accept-Language Accept-Patch Accept-Post Accept-Ranges Access-Control-Allow-Origin
Access-Control-Allow-Credentials Access-Control-Allow-Headers Access-Control-Allow-Methods Access-Control-Expose-Headers
Access-Control-Max-Age Alt-Svc Api-Version Cache-Control Cache-Status Connection Content-Disposition Content-Encoding
Content-Language Content-Length Content-Location Content-Range Content-Security-Policy Content-Type Cookie Set-Cookie
Cross-Origin-Opener-Policy Cross-Origin-Resource-Policy Deprecation Expires Forwarded If-Match If-Modified-Since
If-None-Match If-Range If-Unmodified-Since Idempotency-Key Keep-Alive Last-Modified Location Max-Forwards Origin-Agent-Cluster
Permissions-Policy Pragma: no-cache Referrer-Policy Referer Retry-After Server-Timing Strict-Transport-Security Sunset
Trailer Transfer-Encoding: chunked Upgrade User-Agent Warning RateLimit-Policy RateLimit-Limit RateLimit-Remaining
RateLimit-Reset X-RateLimit-Limit X-RateLimit-Remaining X-RateLimit-Reset X-RateLimit-Reset-After X-Rate-Limit-Limit
X-Rate-Limit-Remaining X-Rate-Limit-Reset X-API-Key X-Auth-Token X-Access-Token X-Authorization X-Forwarded-Authorization
X-Original-Authorization X-Cache-Status X-Content-Type-Options X-Correlation-ID X-Download-Options X-Forwarded-For
X-Forwarded-Host X-Forwarded-Proto X-Frame-Options X-Original-URL X-Permitted-Cross-Domain-Policies X-Powered-By: Express
X-Real-IP X-Request-ID X-Runtime X-Served-By X-Total-Count X-XSS-Protection X-HTTP-Method-Override
application/json; charset=utf-8 application/problem+json application/hal+json application/ld+json application/vnd.api+json
application/xml application/xhtml+xml application/yaml application/octet-stream application/x-www-form-urlencoded
application/openapi+json application/openapi+yaml multipart/form-data; boundary= text/plain; charset=us-ascii text/html
text/css text/event-stream text/javascript image/png image/svg+xml iso-8859-1 windows-1252
identity gzip deflate zstd compress keep-alive close no-cache no-store no-transform must-revalidate proxy-revalidate
max-age=0 s-maxage=0 public private immutable stale-while-revalidate stale-if-error timeout=5 sameorigin nosniff
localhost 127.0.0.1 petstore-conformance petstore https:// http://
Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April August September October November
December undefined null true false
Created Accepted No Content Moved Permanently Temporary Redirect Not Modified Bad Request Unauthorized Forbidden Not Found
Method Not Allowed Not Acceptable Conflict Unsupported Media Type Unprocessable Content Too Many Requests
Internal Server Error Not Implemented Bad Gateway Service Unavailable Gateway Timeout
/categories /pets/ /store/orders category description message status code name
{"id":1,"name":"a","description":"b"},{"id":2,"name":"","description":null} {"code":"a","message":"b","status":400}
openapi swagger info title version license contact servers security tags paths summary operationId listCategories
createCategory petsNamedOnly storeOrdersNamedOnly requestBody parameters responses default required content schema schemas
components headers properties additionalProperties securitySchemes scheme bearerFormat reference array object string
integer number boolean format int32 int64 minimum maximum minLength maxLength pattern example examples nullable
deprecated readOnly writeOnly discriminator externalDocs callbacks webhooks x-stability experimental x-not-shown request
response NewCategory Category CategoryList Error rateLimitHeaders RateLimited TooManyRequests BadRequest variables
production staging
`.toLowerCase();

/** Whether a text is a word of the protocol, or a part of one: such a text is no secret. */
export const isOfProtocol = (text: string): boolean => WORDS.includes(text.toLowerCase());
