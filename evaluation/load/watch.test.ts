import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { startServer } from '../../reference-server/http/server.ts';
import type { Seams } from '../../reference-server/seams.ts';
import { findTool } from '../../tools/tools.ts';
import { endChild } from '../bench/child.ts';
import { run as runCommand } from '../testing/cli/command.ts';
import { temporaryFolder } from '../testing/tools/folder.ts';
import { k6Path, withoutK6 } from '../testing/tools/k6.ts';
import { freePort } from '../testing/tools/listening.ts';

const prometheus = await findTool('prometheus');

const path = (name: string): string => fileURLToPath(new URL(`../../load/${name}`, import.meta.url));
const RULES = path('watch/rules.yml');
const DASHBOARD = path('watch/grafana-dashboard.json');
const limits = { perMinute: 10, perDay: 1000, minuteSeconds: 2, daySeconds: 86_400 };

/** Starts a Prometheus with the rules, for k6 to write to. */
async function startPrometheus(t: TestContext): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-prometheus-'));
  const config = join(folder, 'prometheus.yml');
  writeFileSync(config, JSON.stringify({ global: { evaluation_interval: '1s' }, rule_files: [RULES] }));
  const port = await freePort();
  const child = spawn(
    prometheus.path,
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--web.enable-remote-write-receiver',
    ],
    { stdio: 'ignore' },
  );
  t.after(async () => {
    await endChild(child);
    rmSync(folder, { recursive: true, force: true });
  });
  const address = `http://127.0.0.1:${port}`;
  await eventually('Prometheus to be ready', async () => (await fetch(`${address}/-/ready`)).ok);
  return address;
}

/** Runs a profile with the command, which writes to this Prometheus, against a server with these seams. */
async function run(t: TestContext, address: string, profile: string, fault?: Seams): Promise<void> {
  const { perMinute, perDay, ...windows } = limits;
  const plans = { ...windows, plans: { free: { perMinute, perDay } } };
  const server = await startServer({ plans, ...(fault === undefined ? {} : { seams: fault }) });
  t.after(() => server.close());
  const cwd = temporaryFolder(t);
  writeFileSync(join(cwd, 'plans.json'), JSON.stringify(plans));
  const args = ['load', profile, '--target', server.baseUrl, '--plans', 'plans.json', '--out', 'run'];
  // As the README has it: the address alone is set, and the interval only to make the test short.
  await runCommand(t, [...args, '--k6-out', 'experimental-prometheus-rw'], {
    cwd,
    env: {
      K6_BIN: k6Path,
      PETSTORE_API_KEY: server.keys.free[0] ?? '',
      K6_PROMETHEUS_RW_SERVER_URL: `${address}/api/v1/write`,
      K6_PROMETHEUS_RW_PUSH_INTERVAL: '500ms',
    },
  });
}

async function query(address: string, expression: string): Promise<readonly unknown[]> {
  const response = await fetch(`${address}/api/v1/query`, {
    method: 'POST',
    body: new URLSearchParams({ query: expression }),
  });
  const text = await response.text();
  assert.ok(response.ok, `${expression}: ${text}`);
  return (JSON.parse(text) as { data: { result: readonly unknown[] } }).data.result;
}

async function eventually(condition: string, holds: () => Promise<boolean>): Promise<void> {
  const until = Date.now() + 20_000;
  for (;;) {
    if (await holds().catch(() => false)) return;
    assert.ok(Date.now() < until, `waited 20 s for ${condition}`);
    await new Promise((wake) => setTimeout(wake, 200));
  }
}

/** An expression of the dashboard with all of its variables set to everything. */
const withAllSelected = (expression: string): string =>
  expression.replaceAll('$profile', '.+').replaceAll('$key', '.+').replaceAll('$__rate_interval', '1m');

const breaking: Seams = {
  wrapService: (answer) => (request) => {
    const outcome = answer(request);
    // After the preflight request, every response is a late 500.
    const remaining =
      outcome.kind === 'response' && outcome.headers.find(([name]) => name === 'X-RateLimit-Remaining')?.[1];
    return remaining === '9' || outcome.kind === 'dropped'
      ? outcome
      : { ...outcome, status: 500, delayMs: 1200 };
  },
};

const tooStrict: Seams = {
  wrapLimiter: (limiter) => (caller, request, now) => {
    const made = limiter(caller, request, now);
    return made.remaining < 3 ? { ...made, allowed: false, retryAt: now + 1000 } : made;
  },
};

test('every panel shows the data of a run, and every rule fires for a run with its problem', {
  skip: withoutK6 || prometheus.skip,
}, async (t) => {
  const address = await startPrometheus(t);
  await run(t, address, 'under');
  const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as Dashboard;
  assert.ok(panels.length > 0);
  for (const { title, targets } of panels) {
    for (const { expr } of targets) {
      const data = withAllSelected(expr);
      await eventually(`"${title}" to show data`, async () => (await query(address, data)).length > 0);
    }
  }
  const firing = await query(address, 'ALERTS{alertstate="firing"}');
  assert.deepEqual(firing, [], 'no alert fires for a conforming target');

  await run(t, address, 'at-limit', tooStrict);
  await run(t, address, 'smoke', breaking);
  const rules = (
    parse(readFileSync(RULES, 'utf8')) as { groups: readonly { rules: readonly Rule[] }[] }
  ).groups.flatMap((group) => group.rules);
  assert.ok(rules.length > 0);
  for (const rule of rules) {
    const expression =
      'record' in rule ? rule.record : `ALERTS{alertname="${rule.alert}",alertstate="firing"}`;
    await eventually(`the rule ${expression}`, async () => (await query(address, expression)).length > 0);
  }
});

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

type Rule = { readonly record: string } | { readonly alert: string };
