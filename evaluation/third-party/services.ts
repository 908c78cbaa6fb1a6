import type { Break } from './breaks/break.ts';
import { breaksOf } from './breaks/break.ts';
import type { Software } from './provide.ts';

/** A service that was written from the specification alone, in a language and framework of its own. */
export interface Service extends Software {
  /** The name of its folder in `services/`. */
  readonly name: string;
  readonly language: string;
  readonly framework: string;
  /** Validation, serialization, store and limiter, with versions. */
  readonly libraries: readonly string[];
  /** How it limits, for a reader who knows limiters. */
  readonly limiter: string;
  /** What starts it in its folder. */
  readonly start: readonly [command: string, ...args: string[]];
}

/** A service whose breaks a certificate should show. */
export interface CertifiedService extends Service {
  readonly breaks: readonly Break[];
}

const GO = {
  steps: [
    ['go', 'version'],
    ['go', 'build', '-o', 'petstore', '.'],
  ],
  start: ['./petstore'],
} as const;

const PYTHON = {
  steps: [
    ['python3', '-m', 'venv', 'env'],
    ['env/bin/python', '-m', 'pip', 'install', '--quiet', '-r', 'requirements.txt'],
  ],
  start: ['env/bin/python', 'app.py'],
} as const;

const INSTALL = [
  'npm',
  'install',
  '--ignore-scripts',
  '--no-package-lock',
  '--no-audit',
  '--no-fund',
] as const;

const NODE = { steps: [INSTALL], start: ['node', 'app.mjs'] } as const;

const MAVEN = [
  ['java', '-version'],
  ['mvn', '--version'],
  ['mvn', '--quiet', '--batch-mode', 'package'],
] as const;

const JAVA = ['java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'] as const;

const RUBY =
  'require "sinatra/base"; require "puma"; require "rack/attack"; require "sequel"; require "sqlite3"';
const PHP = 'require "Symfony/Component/RateLimiter/autoload.php"; new PDO("sqlite::memory:");';
const C = [
  '-std=gnu11',
  '-O1',
  '-o',
  'petstore',
  'petstore.c',
  '-lmicrohttpd',
  '-ljansson',
  '-lpthread',
  '-lm',
];

const named = (name: string) => ({ name, sources: `services/${name}` });

const certified: readonly Service[] = [
  {
    ...named('go'),
    ...GO,
    language: 'Go 1.26',
    framework: 'chi 5.5',
    libraries: ['encoding/json', 'validator 10.30', 'httprate 0.16'],
    limiter: 'httprate: sliding counters, one for the minute and one for the day',
  },
  {
    ...named('fastapi'),
    ...PYTHON,
    language: 'Python 3.11',
    framework: 'FastAPI 0.165, Starlette 1.10, uvicorn 0.54',
    libraries: ['Pydantic 2.14', 'SQLAlchemy 2.1', 'slowapi 0.1.10', 'limits 5.8'],
    limiter: 'slowapi: fixed windows that begin with the first request',
  },
  {
    ...named('axum'),
    steps: [
      ['cargo', '--version'],
      ['cargo', 'build', '--quiet'],
    ],
    start: ['target/debug/petstore'],
    language: 'Rust 1.95',
    framework: 'axum 0.8.9, tokio 1.54',
    libraries: ['serde_json 1.0.154', 'governor 0.10.4'],
    limiter: 'governor: GCRA with a burst of the limit per minute',
  },
  {
    ...named('spring'),
    steps: MAVEN,
    start: [...JAVA, '-jar', 'target/petstore.jar'],
    language: 'Java 17',
    framework: 'Spring Boot 3.5.0',
    libraries: ['Jackson', 'Hibernate Validator', 'H2', 'HikariCP', 'Bucket4j 8.14'],
    limiter: 'Bucket4j: buckets refilled at intervals',
  },
  {
    ...named('django'),
    ...PYTHON,
    language: 'Python 3.11',
    framework: 'Django 5.2.19, Django REST framework 3.18.3, waitress 3.0.2',
    libraries: ['serializers and throttles of Django REST framework', 'SQLite'],
    limiter: 'the sliding log of SimpleRateThrottle, made atomic',
  },
  {
    ...named('sinatra'),
    steps: [
      ['ruby', '--version'],
      ['ruby', '-e', RUBY],
    ],
    start: ['ruby', 'app.rb'],
    language: 'Ruby 3.1',
    framework: 'Sinatra 3.0, Puma 5.6',
    libraries: ['Sequel 5.63', 'SQLite', 'Rack::Attack 6.6'],
    limiter: 'Rack::Attack: fixed windows aligned to the clock, Retry-After as a date',
  },
  {
    ...named('php'),
    steps: [
      ['php', '--version'],
      ['php', '-r', PHP],
    ],
    start: ['sh', '-c', 'PHP_CLI_SERVER_WORKERS=4 exec php -S "127.0.0.1:$PORT" router.php'],
    language: 'PHP 8.2',
    framework: 'none: the built-in server with four workers',
    libraries: ['PDO', 'SQLite', 'Symfony RateLimiter 5.4'],
    limiter: 'Symfony’s sliding window in a table, and a count for each day',
  },
  {
    ...named('mojolicious'),
    steps: [['perl', '-MMojolicious', '-e', '1']],
    start: ['perl', 'app.pl'],
    language: 'Perl 5.36',
    framework: 'Mojolicious 9.31 and its daemon',
    libraries: ['Mojo::JSON'],
    limiter: 'a sliding log of its own, Retry-After of at least a minute',
  },
  {
    ...named('fastify'),
    ...NODE,
    language: 'JavaScript, Node 20',
    framework: 'Fastify 5',
    libraries: ['Ajv', 'fast-json-stringify', '@fastify/rate-limit 11.2'],
    limiter: '@fastify/rate-limit: fixed windows that begin with the first request',
  },
  {
    ...named('libmicrohttpd'),
    steps: [
      ['gcc', '--version'],
      ['gcc', ...C],
    ],
    start: ['./petstore'],
    language: 'C',
    framework: 'GNU libmicrohttpd 0.9.75 with four threads',
    libraries: ['Jansson 2.14'],
    limiter: 'a token bucket of its own with a burst of the limit per minute',
  },
  {
    ...named('go-limiters'),
    ...GO,
    language: 'Go 1.26',
    framework: 'net/http',
    libraries: ['encoding/json', 'ulule/limiter 3.11', 'go-limiter 0.7', 'throttled 2.15', 'x/time 0.16'],
    limiter: 'ulule/limiter: fixed windows that begin with the first request; three others instead',
  },
  {
    ...named('redis'),
    steps: [['redis-server', '--version']],
    start: ['node', 'main.mjs'],
    language: 'JavaScript, Node 20',
    framework: 'node:http, two processes',
    libraries: ['Redis 7.0 with scripts in Lua'],
    limiter: 'a sliding counter over windows of the clock, shared by the processes; three others instead',
  },
  {
    ...named('haproxy'),
    steps: [
      ['haproxy', '-v'],
      ['python3', '--version'],
    ],
    start: ['python3', 'main.py'],
    language: 'HAProxy 2.6, Python 3.11',
    framework: 'http.server behind HAProxy',
    libraries: ['stick tables of HAProxy'],
    limiter: 'http_req_rate: a sliding counter, which counts requests beyond the limit, too',
  },
  {
    ...named('express'),
    ...NODE,
    language: 'JavaScript, Node 20',
    framework: 'Express 5.3',
    libraries: ['zod 4.6', 'NeDB 4.1', 'helmet 8.3', 'rate-limiter-flexible 11.4 for the day'],
    limiter: 'express-rate-limit 8.7: fixed windows that begin with the first request; four others instead',
  },
  {
    ...named('nest'),
    steps: [INSTALL, ['node', 'node_modules/typescript/bin/tsc', '-p', '.']],
    start: ['node', 'dist/main.mjs'],
    language: 'TypeScript 5.9, Node 20',
    framework: 'NestJS 12.5 on Express',
    libraries: ['class-validator 0.15', 'class-transformer 0.5', 'TypeORM 1.1', 'SQLite (sql.js 1.16)'],
    limiter: '@nestjs/throttler 6.7: a sliding log, without its block',
  },
  {
    ...named('nginx'),
    steps: [['nginx', '-v'], INSTALL],
    start: ['node', 'main.mjs'],
    language: 'nginx 1.22, JavaScript, Node 20',
    framework: 'Hono 4.13 behind nginx',
    libraries: ['hono-rate-limiter 0.5'],
    limiter:
      'hono-rate-limiter: fixed windows that begin with the first request, behind limit_req for addresses',
  },
  {
    ...named('flask'),
    ...PYTHON,
    language: 'Python 3.11',
    framework: 'Flask 3.1, gunicorn 27.0',
    libraries: ['marshmallow 4.4', 'Flask-SQLAlchemy 3.1', 'SQLite', 'Flask-Limiter 4.1', 'limits 5.8'],
    limiter: 'Flask-Limiter: fixed windows that begin with the first request; two others instead',
  },
  {
    ...named('gin'),
    ...GO,
    language: 'Go 1.26',
    framework: 'gin 1.12',
    libraries: ['gorm 1.31', 'SQLite', 'tollbooth 7.0'],
    limiter: 'tollbooth: a token bucket with a burst of the limit per minute, and a count for each day',
  },
  {
    ...named('tcl'),
    steps: [['sh', '-c', 'echo exit | tclsh8.6']],
    start: ['tclsh8.6', 'petstore.tcl'],
    language: 'Tcl 8.6',
    framework: 'none: plain sockets',
    libraries: ['none'],
    limiter: 'fixed windows of its own that begin with the first request; seven others instead',
  },
  {
    ...named('ktor'),
    steps: MAVEN,
    start: [...JAVA, '-cp', 'target/petstore.jar:target/libraries/*', 'petstore.MainKt'],
    language: 'Kotlin 2.0, Java 17',
    framework: 'Ktor 2.3 on CIO',
    libraries: ['kotlinx.serialization 1.6', 'the plugins Authentication, StatusPages and RateLimit of Ktor'],
    limiter: 'RateLimiter of Ktor: fixed windows that begin with the first request; four others instead',
  },
];

/** The services that are certified, each as it conforms and with every break. */
export const services: readonly CertifiedService[] = certified.map((service) => ({
  ...service,
  breaks: breaksOf(service.name),
}));

/** The services that are loaded, each as it conforms and with every fault of `load/faults.ts`. */
export const loadedServices: readonly Service[] = [
  {
    ...named('go-load'),
    ...GO,
    language: 'Go',
    framework: 'net/http, a goroutine for each request',
    libraries: ['none'],
    limiter: 'a sliding log for each key',
  },
  {
    ...named('python-load'),
    steps: [['python3', '--version']],
    start: ['python3', 'app.py'],
    language: 'Python',
    framework: 'asyncio, one thread',
    libraries: ['none'],
    limiter: 'fixed windows that begin with the first request of a key',
  },
];
