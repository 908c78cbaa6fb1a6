// The configuration of nginx: it routes, protects by address, and forwards to what is behind it.
import { backends, is, settings } from './settings.mjs';

const error = (status, code, message) => JSON.stringify({ code, message, status });
const only = (text, ...ids) => (is(...ids) ? text : '');
const always = is('add-header-without-always') ? '' : ' always';
const { limit, seconds } = settings.minute;
const perSecond = limit / seconds;

/** Limits of nginx: far beyond the plan for an address, unless the house limits each key here. */
function zones() {
  const rate = is('zone-per-key-with-burst', 'zone-per-key-of-ten')
    ? `${Math.round(perSecond * 60)}r/m`
    : '200r/s';
  const by = is('zone-per-key-with-burst', 'zone-per-key-of-ten')
    ? '$http_authorization'
    : '$binary_remote_addr';
  return `limit_req_zone ${by} zone=edge:1m rate=${rate};
  limit_conn_zone $binary_remote_addr zone=open:1m;
  limit_req_status ${is('edge-says-503') ? 503 : 429};
  limit_conn_status 429;`;
}

function edge() {
  if (is('zone-per-key-with-burst')) return `limit_req zone=edge burst=${limit - 1} nodelay;`;
  if (is('zone-per-key-of-ten')) return 'limit_req zone=edge burst=9 nodelay;';
  if (is('edge-delays')) return 'limit_req zone=edge burst=200;';
  if (is('edge-without-burst', 'edge-says-503', 'edge-page')) return 'limit_req zone=edge;';
  return 'limit_req zone=edge burst=400 nodelay;';
}

/** What nginx answers itself. */
function ownAnswers() {
  if (is('edge-page')) return '';
  const headers = is('edge-headers-left-out')
    ? ''
    : `add_header X-RateLimit-Limit ${limit} always; add_header X-RateLimit-Remaining 0 always;
      add_header X-RateLimit-Reset $soon always;`;
  return `error_page 429 = @limited;
    location @limited {
      internal; default_type application/json;
      ${headers} ${is('edge-headers-left-out') ? '' : 'add_header Retry-After 1 always;'}
      return 429 '${error(429, 'rate_limited', 'Too many requests.')}';
    }
    error_page 413 = @large;
    location @large {
      internal; default_type application/json;
      return 413 '${error(413, 'too_large', 'The body is too large.')}';
    }`;
}

/** The guard of houses that check keys at the edge. */
function guard() {
  if (!is('edge-guard')) return '';
  return `if ($known = 0) { return 401 '${error(401, 'unauthorized', 'The API key is missing or invalid.')}'; }`;
}

function mapOfKeys() {
  const rows = settings.keys.map((key) => `"~^(?i:bearer) ${key}$" 1;`);
  return `map $http_authorization $known { default 0; ${rows.join(' ')} }
  map $msec $soon { default 0; "~^(?<whole>\\d+)" $whole; }`;
}

const forward = () => `
      proxy_pass http://service${only('$uri', 'uri-forwarded')};
      proxy_http_version ${is('upstream-http-1-0') ? '1.0' : '1.1'};
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Request-Id $request_id;
      ${only('proxy_set_header Authorization "Bearer $arg_key$cookie_key";', 'authorization-from-elsewhere')}
      ${only('proxy_intercept_errors on;', 'errors-intercepted', 'errors-intercepted-with-headers')}
      ${only('proxy_hide_header Retry-After;', 'retry-after-hidden')}
      ${only('proxy_hide_header X-RateLimit-Reset; add_header X-RateLimit-Reset $msec always;', 'reset-is-now')}
      ${only(`add_header X-RateLimit-Limit ${limit} always;`, 'limit-added-again')}
      ${only('add_header X-Frame-Options DENY always; add_header X-Request-Id $request_id always;', 'extra-headers')}
      ${only('proxy_method GET;', 'method-forced')}
      ${only('proxy_cache pages; proxy_cache_valid 200 2s; proxy_cache_key $request_uri; proxy_ignore_headers Cache-Control Vary;', 'micro-cache')}
      ${only('proxy_cache pages; proxy_cache_valid 200 2s; proxy_cache_key $request_uri$http_authorization; proxy_ignore_headers Cache-Control Vary;', 'micro-cache-per-key')}
      ${only('proxy_cache pages; proxy_cache_valid 401 5s; proxy_cache_key $request_uri; proxy_ignore_headers Cache-Control Vary;', 'cached-401')}
      ${only('sub_filter_types application/json; sub_filter_once off; sub_filter "http:" "https:";', 'urls-rewritten')}
`;

const interceptor = () => {
  if (!is('errors-intercepted', 'errors-intercepted-with-headers')) return '';
  const kept = is('errors-intercepted-with-headers')
    ? ['limit', 'remaining', 'reset']
        .map((one) => `add_header X-RateLimit-${one} $upstream_http_x_ratelimit_${one} always;`)
        .concat('add_header Retry-After $upstream_http_retry_after always;')
        .join(' ')
    : '';
  return [400, 401, 404, 501]
    .map(
      (status) => `error_page ${status} = @e${status};
    location @e${status} { internal; default_type application/json; ${kept}
      return ${status} '${error(status, `E${status}`, 'The gateway says no.')}'; }`,
    )
    .join('\n    ');
};

/** The whole file. */
export const configuration = () => `
daemon off; ${process.getuid() === 0 ? 'user root root;' : ''} worker_processes ${is('two-workers') ? 2 : 1}; pid ${settings.scratch}/nginx.pid; error_log /dev/null crit;
events { worker_connections 256; }
http {
  access_log off; server_tokens off; default_type application/octet-stream;
  client_body_temp_path ${settings.scratch}/body; proxy_temp_path ${settings.scratch}/proxy;
  fastcgi_temp_path ${settings.scratch}/f; uwsgi_temp_path ${settings.scratch}/u; scgi_temp_path ${settings.scratch}/s;
  proxy_cache_path ${settings.scratch}/cache keys_zone=pages:1m;
  ${mapOfKeys()}
  ${zones()}
  upstream service {
    ${backends.map((one) => `server unix:${settings.scratch}/${one};`).join(' ')}
    ${is('upstream-http-1-0') ? '' : 'keepalive 8;'}
  }
  server {
    listen 127.0.0.1:${settings.port};
    ${only('keepalive_requests 5;', 'five-for-each-connection')} ${only('keepalive_timeout 1s;', 'idle-second')}
    ${only('keepalive_timeout 0;', 'no-keep-alive')}
    ${only('gzip on; gzip_types application/json; gzip_proxied any; gzip_min_length 1;', 'gzip')}
    ${only('merge_slashes off;', 'slashes-kept')}
    client_max_body_size ${is('bodies-of-one-kib') ? '1k' : '1m'};
    ${only('chunked_transfer_encoding off;', 'no-chunks')} ${only('proxy_buffering off;', 'unbuffered')}
    ${only('limit_conn open 4;', 'four-connections')}
    ${ownAnswers()}
    ${interceptor()}
    location ${is('exact-location') ? '= /v1/categories' : '/'} {
      ${edge()}
      ${is('edge-guard') ? 'default_type application/json;' : ''}
      ${guard()}
      ${only('if ($request_method = OPTIONS) { return 204; }', 'preflight-at-the-edge')}
      ${only('if ($request_method = POST) { add_header X-RateLimit-Limit 60; }', 'if-is-evil')}
      ${only(`add_header X-Edge 1${always};`, 'add-header-without-always')}
      ${forward()}
    }
    ${is('exact-location') ? `location / { ${forward()} }` : ''}
    ${only(`location /v1/store/ { default_type application/json; return 404 '${error(404, 'not_found', 'No route.')}'; }`, 'orders-not-routed')}
    ${only('location ~* ^/v1/pets/ { return 302 /login; }', 'pets-redirected')}
  }
}
`;
