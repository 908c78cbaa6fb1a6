// How responses look on the wire: what proxies, middlewares and serializers of such services do.
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import compression from 'compression';
import cors from 'cors';
import helmet from 'helmet';
import { is } from './settings.mjs';

const escapeAll = (text) =>
  text.replace(/[\u007f-\uffff<>&/]/g, (one) => {
    const hex = one.charCodeAt(0).toString(16).padStart(4, '0');
    return one === '/' ? '\\/' : `\\u${is('json-escaped-in-capitals') ? hex.toUpperCase() : hex}`;
  });

/** JSON that keeps BigInts as integers. */
export function written(value) {
  let text = JSON.stringify(
    value,
    (_key, one) => (typeof one === 'bigint' ? `\u0000${one}\u0000` : one),
    is('json-pretty') ? 2 : undefined,
  );
  text = text.replace(/"\\u0000(-?\d+)\\u0000"/g, '$1');
  if (is('json-escaped', 'json-escaped-in-capitals')) text = escapeAll(text);
  if (is('json-with-bom')) text = `\ufeff${text}`;
  if (is('json-with-guard')) text = `)]}',\n${text}`;
  if (is('json-twice')) text = JSON.stringify(text);
  if (is('json-with-repeated-member')) text = text.replace(/\{"id":(-?\d+),/g, '{"id":0,"id":$1,');
  if (is('json-as-callback')) text = `/**/callback(${text})`;
  if (is('json-with-crlf')) text = `\r\n${text}\r\n`;
  if (is('json-lines') && Array.isArray(value)) text = value.map((one) => written(one)).join('\n');
  return text;
}

let served = 0;

/** Sends JSON. */
export function sendJson(response, value) {
  const text = written(value);
  const latin = is('latin-1', 'latin-1-unnamed');
  const bytes = Buffer.from(text, latin ? 'latin1' : 'utf8');
  const charset = is('latin-1') ? 'iso-8859-1' : 'utf-8';
  response.setHeader(
    'Content-Type',
    is('type-without-charset') ? 'application/json' : `application/json; charset=${charset}`,
  );
  if (is('type-text')) response.setHeader('Content-Type', 'text/html; charset=utf-8');
  if (is('type-vendor')) response.setHeader('Content-Type', 'application/vnd.petstore.v1+json');
  if (is('length-of-characters')) {
    response.setHeader('Content-Length', text.length);
    return response.end(bytes.subarray(0, text.length));
  }
  if (is('body-in-chunks')) {
    response.removeHeader('Content-Length');
    const middle = Math.floor(bytes.length / 2);
    response.write(bytes.subarray(0, middle));
    return setTimeout(() => response.end(bytes.subarray(middle)), 5);
  }
  if (is('gzip-always')) {
    response.setHeader('Content-Encoding', 'gzip');
    return response.end(gzipSync(bytes));
  }
  return response.send(bytes);
}

function headerNames(response) {
  const set = response.setHeader.bind(response);
  const inUpper = (name) => (is('names-in-upper') ? name.toUpperCase() : name);
  const changed = (name) => (is('names-in-lower') ? name.toLowerCase() : inUpper(name));
  response.setHeader = (name, value) => set(changed(name), value);
}

/** Everything before the service. */
export function wireInto(app) {
  app.set('etag', is('etag-strong') ? 'strong' : !is('etag-off') && 'weak');
  if (is('powered-by-off')) app.disable('x-powered-by');
  app.use(async (request, response, next) => {
    served += 1;
    headerNames(response);
    if (is('cold-start') && served === 1) await sleep(1800);
    if (is('slow-sometimes') && served % 7 === 0) await sleep(250);
    if (is('slow-each')) await sleep(10 + Math.random() * 40);
    if (is('request-ids')) {
      response.set('X-Request-Id', request.get('x-request-id') ?? crypto.randomUUID());
      response.set('Server-Timing', 'db;dur=1.2');
      response.vary('Authorization');
    }
    if (is('close-after-five') && served % 5 === 0) response.set('Connection', 'close');
    if (is('no-date')) response.sendDate = false;
    if (is('clock-ahead')) response.set('Date', new Date(Date.now() + 90_000).toUTCString());
    if (is('early-hints')) response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    next();
  });
  if (is('helmet', 'house')) app.use(helmet());
  if (is('cors', 'house')) app.use(cors({ exposedHeaders: ['X-RateLimit-Limit'], credentials: true }));
  if (is('compression', 'house')) app.use(compression({ threshold: 0 }));
  if (is('cached', 'cached-for-each-key')) app.use(cache(is('cached-for-each-key')));
  if (is('error-status-200'))
    app.use((_request, response, next) => {
      const status = response.status.bind(response);
      response.status = (code) => status(code === 400 ? 200 : code);
      next();
    });
}

/** A cache of GET responses, with their headers, as middlewares for caching keep them. */
function cache(forEachKey) {
  const kept = new Map();
  return (request, response, next) => {
    if (request.method !== 'GET') return next();
    const key = `${request.originalUrl}${forEachKey ? request.get('authorization') : ''}`;
    const found = kept.get(key);
    if (found !== undefined && Date.now() - found.at < 700) {
      response.set(found.headers);
      return response.status(200).end(found.body);
    }
    const send = response.send.bind(response);
    response.send = (body) => {
      if (response.statusCode === 200)
        kept.set(key, { at: Date.now(), body, headers: response.getHeaders() });
      return send(body);
    };
    next();
  };
}
