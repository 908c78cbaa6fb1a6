import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { plansFile, run } from '../testing/cli/command.ts';
import type { Identity } from '../testing/cli/target.ts';
import { temporaryFolder } from '../testing/tools/folder.ts';
import type { Attack, AttackedRun } from './attack.ts';

/** The key of every measured run. No file and no output may contain it. */
export const ATTACKED_KEY = 'pk-Zx81/aQm4+Lw0vT9sRe3=';

const COST = fileURLToPath(new URL('preload/cost.js', import.meta.url));

/** A measured run, its exit code and its cost. */
export interface MeasuredRun extends AttackedRun {
  readonly code: number | null;
  /** The peak memory and the CPU time of the command; undefined if it was killed. */
  readonly cost: { readonly megabytes: number; readonly cpuSeconds: number } | undefined;
}

/** Runs `certify` against the target of an attack, as a separate process. */
export async function certifyAttacker(t: TestContext, attack: Attack): Promise<MeasuredRun> {
  const cwd = temporaryFolder(t);
  const { target, args: furtherArgs = [], env = {}, assertAfter } = await attack.start(t);
  const cost = join(cwd, 'cost');
  const args = ['certify', '--target', target, '--plans', plansFile(cwd, 1), '--out', 'run', ...furtherArgs];
  const { code, out, err } = await run(t, args, {
    cwd,
    env: {
      PETSTORE_API_KEY: ATTACKED_KEY,
      COST_FILE: cost,
      ...env,
      NODE_OPTIONS: [`--import=${COST}`, env['NODE_OPTIONS'] ?? ''].join(' '),
    },
  });
  const measured = {
    code,
    out,
    err,
    files: filesIn(join(cwd, 'run')),
    cost: existsSync(cost) ? JSON.parse(readFileSync(cost, 'utf8')) : undefined,
  };
  assertAfter?.(measured);
  return measured;
}

function filesIn(folder: string): ReadonlyMap<string, string> {
  if (!existsSync(folder)) return new Map();
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

/** For localhost, valid on 1 January 2020 only. The key is public and protects nothing. */
export const expiredIdentity: Identity = {
  cert: `\
-----BEGIN CERTIFICATE-----
MIIBczCCARmgAwIBAgIBATAKBggqhkjOPQQDAjAbMRkwFwYDVQQDDBBQZXRzdG9y
ZSBleHBpcmVkMB4XDTIwMDEwMTAwMDAwMFoXDTIwMDEwMjAwMDAwMFowGzEZMBcG
A1UEAwwQUGV0c3RvcmUgZXhwaXJlZDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IA
BFW/sOtwsrzJL+p7nDHx4Bkx+xko1UKXzesYFdbtBSVGh2adWDv+NF939ArRp2+a
TWhzVWe5jB6g6TRAxi6n4KqjTjBMMA8GA1UdEwEB/wQFMAMBAf8wGgYDVR0RBBMw
EYIJbG9jYWxob3N0hwR/AAABMB0GA1UdDgQWBBT5w24HkP9oFO7hB1HQRtG/94Tp
rzAKBggqhkjOPQQDAgNIADBFAiEAx75uPrKlEFyze+aK8uh594Q2OATpMDI1fPGq
hP7MOd0CIEJKElLaB+gIDrJQSP0zo/ogv7RWCBEVHxpSmzsHJJkr
-----END CERTIFICATE-----
`,
  key: `\
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg7yEMiVPx/GPYBbZJ
F8ymnrpUax94TmD71jS+sDJ8Bc6hRANCAARVv7DrcLK8yS/qe5wx8eAZMfsZKNVC
l83rGBXW7QUlRodmnVg7/jRfd/QK0advmk1oc1VnuYweoOk0QMYup+Cq
-----END PRIVATE KEY-----
`,
};

/** For other.example only, valid for a hundred years. The key is public and protects nothing. */
export const wrongNameIdentity: Identity = {
  cert: `\
-----BEGIN CERTIFICATE-----
MIIBcDCCARWgAwIBAgIBAjAKBggqhkjOPQQDAjAZMRcwFQYDVQQDDA5QZXRzdG9y
ZSB3cm9uZzAgFw0yNjAxMDEwMDAwMDBaGA8yMTI2MDEwMTAwMDAwMFowGTEXMBUG
A1UEAwwOUGV0c3RvcmUgd3JvbmcwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAR/
dHo47Cwm+G4EARUUQUcyN+ERqFKGFbSRDC+Agii6SUCG3akcJ0RjvICkImsKjuQJ
6WoyKE2tqGn6UUhpJ2Qpo0wwSjAPBgNVHRMBAf8EBTADAQH/MBgGA1UdEQQRMA+C
DW90aGVyLmV4YW1wbGUwHQYDVR0OBBYEFJB90OygUb2Vzn47V3GMyq08h5B5MAoG
CCqGSM49BAMCA0kAMEYCIQCJnl5jYmlvqwaGiMSJMLgiGo1qdgY9Dh0M8hpqEC6K
ogIhAJWcbAUYJonPFlU+PZ0apDWCPo2+p9PLFlIxzwFhGCf2
-----END CERTIFICATE-----
`,
  key: `\
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgaL88XRooW5H+lJi2
7lfntR6nsZQXMwIyGd0G89cd7VyhRANCAAR/dHo47Cwm+G4EARUUQUcyN+ERqFKG
FbSRDC+Agii6SUCG3akcJ0RjvICkImsKjuQJ6WoyKE2tqGn6UUhpJ2Qp
-----END PRIVATE KEY-----
`,
};
