import type { Software } from '../../tools/provide.ts';
import { PYTHON_STEPS } from '../../tools/provide.ts';
import type { ServiceBreak } from './breaks/break.ts';
import { breaksOf } from './breaks/break.ts';

/** A service that was written from the specification alone. OUTSIDERS.md and LOAD-MATRIX.md have its language, framework and limiter. */
export interface Service extends Software {
  /** The name of its folder in `services/`. */
  readonly name: string;
  /** What starts it in its folder. */
  readonly start: Command;
}

/** A service whose breaks a certificate should show. */
export interface CertifiedService extends Service {
  readonly breaks: readonly ServiceBreak[];
}

type Command = Software['steps'][number];

/** How software is built and started. */
type Build = Pick<Service, 'steps' | 'start'>;

/** A command without quotation: its words are separated by blanks. */
const command = (text: string): Command => {
  const [program = '', ...args] = text.split(' ');
  return [program, ...args];
};

const GO = { steps: ['go version', 'go build -o petstore .'].map(command), start: command('./petstore') };

const PYTHON = { steps: PYTHON_STEPS, start: command('env/bin/python app.py') };

const INSTALL = command('npm install --ignore-scripts --no-package-lock --no-audit --no-fund');
const NODE = { steps: [INSTALL], start: command('node app.mjs') };

const maven = (start: string): Build => ({
  steps: ['java -version', 'mvn --version', 'mvn --quiet --batch-mode package'].map(command),
  start: command(`java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC ${start}`),
});

const RUBY =
  'require "sinatra/base"; require "puma"; require "rack/attack"; require "sequel"; require "sqlite3"';
const PHP = 'require "Symfony/Component/RateLimiter/autoload.php"; new PDO("sqlite::memory:");';
const C = 'gcc -std=gnu11 -O1 -o petstore petstore.c -lmicrohttpd -ljansson -lpthread -lm';

const certified: Readonly<Record<string, Build>> = {
  go: GO,
  fastapi: PYTHON,
  axum: {
    steps: ['cargo --version', 'cargo build --quiet'].map(command),
    start: command('target/debug/petstore'),
  },
  spring: maven('-jar target/petstore.jar'),
  django: PYTHON,
  sinatra: { steps: [command('ruby --version'), ['ruby', '-e', RUBY]], start: command('ruby app.rb') },
  php: {
    steps: [command('php --version'), ['php', '-r', PHP]],
    start: ['sh', '-c', 'PHP_CLI_SERVER_WORKERS=4 exec php -S "127.0.0.1:$PORT" router.php'],
  },
  mojolicious: { steps: [command('perl -MMojolicious -e 1')], start: command('perl app.pl') },
  fastify: NODE,
  libmicrohttpd: { steps: ['gcc --version', C].map(command), start: command('./petstore') },
  'go-limiters': GO,
  redis: { steps: [command('redis-server --version')], start: command('node main.mjs') },
  haproxy: { steps: ['haproxy -v', 'python3 --version'].map(command), start: command('python3 main.py') },
  express: NODE,
  nest: {
    steps: [INSTALL, command('node node_modules/typescript/bin/tsc -p .')],
    start: command('node dist/main.mjs'),
  },
  nginx: { steps: [command('nginx -v'), INSTALL], start: command('node main.mjs') },
  flask: PYTHON,
  gin: GO,
  tcl: { steps: [['sh', '-c', 'echo exit | tclsh8.6']], start: command('tclsh8.6 petstore.tcl') },
  ktor: maven('-cp target/petstore.jar:target/libraries/* petstore.MainKt'),
};

const serviceOf = ([name, build]: readonly [string, Build]): Service => ({
  name,
  sources: `evaluation/third-party/services/${name}`,
  ...build,
});

/** The services that are certified, each as it conforms and with every break. */
export const services: readonly CertifiedService[] = Object.entries(certified).map((one) => ({
  ...serviceOf(one),
  breaks: breaksOf(one[0]),
}));

/** The services that are loaded, each as it conforms and with every fault of `load/faults.ts`. */
export const loadedServices: readonly Service[] = [
  serviceOf(['go-load', GO]),
  serviceOf(['python-load', { steps: [command('python3 --version')], start: command('python3 app.py') }]),
];
