import type { Exchange } from '../../exchanges/exchange.ts';
import { isRateLimited } from '../../exchanges/outcome-kinds.ts';
import { singleQuoted } from '../../words/shell-word.ts';
import type { RunLine } from '../model/journal.ts';
import { exhaustQuota } from '../probes/exhaust-quota.ts';
import { dayPauseSeconds, spendsDay } from '../probes/spend-day.ts';

/** The environment variable that stands for a redacted key in a command. */
function variable(name: string): string {
  if (name === 'key') return 'PETSTORE_API_KEY';
  if (name === 'other key') return 'PETSTORE_OTHER_KEY';
  return `PETSTORE_${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`;
}

/** Headers that curl sends by itself, or that say nothing about the finding. */
const DULL = new Set(['accept', 'accept-encoding', 'user-agent']);

/**
 * A shell command that sends a request of the journal again; where the finding is about the end of the limit, as often
 * as it takes to get there, for the day at the pace of the run. Keys are environment variables; everything else is in
 * single quotes, so that no word of a journal is ever run.
 */
export function repeatCommand(run: RunLine, exchange: Exchange): string {
  const once = curl(run, exchange);
  const { limits } = run;
  if (spendsDay(exchange)) {
    const pause = Math.ceil(1000 * dayPauseSeconds(limits)) / 1000;
    return `for i in $(seq ${limits.perDay + 1}); do ${once}; sleep ${pause}; done`;
  }
  if (exchange.caller !== 'key' || !(exchange.probe === exhaustQuota.id || isRateLimited(exchange)))
    return once;
  return `for i in $(seq ${limits.perMinute + 1}); do ${once}; done`;
}

function curl(run: RunLine, exchange: Exchange): string {
  const { method, target, headers, body } = exchange.request;
  const words = [
    'curl',
    '--include',
    '--silent',
    '--show-error',
    ...(method === 'GET' ? [] : ['--request', method]),
  ];
  for (const [name, value] of headers) {
    if (!DULL.has(name.toLowerCase())) words.push('--header', withKeys(`${name}: ${value}`));
  }
  if (body !== null) words.push('--data-binary', singleQuoted(body.text.slice(0, LONGEST_BODY)));
  words.push(withKeys(`${new URL(run.target.baseUrl).origin}${target}`));
  return words.join(' ');
}

/** The most characters of a body that a command repeats. */
const LONGEST_BODY = 2000;

/** Single quotes around everything but the keys, which the shell fills in. */
function withKeys(text: string): string {
  return text
    .split(/(\[[a-zA-Z0-9 -]+\])/)
    .filter((part) => part !== '')
    .map((part) => {
      const key = /^\[(.+)\]$/.exec(part)?.[1];
      return key === undefined || !isKeyName(key) ? singleQuoted(part) : `"$${variable(key)}"`;
    })
    .join('');
}

const isKeyName = (name: string): boolean => /\bkey\b/.test(name) || name.startsWith('value of ');
