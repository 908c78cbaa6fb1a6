import { join } from 'node:path';
import { COMMAND, countOf, durationText } from '../../../kernel/basics/text.ts';
import { headerValue } from '../../../kernel/exchanges/headers.ts';
import { howEnded } from '../../../suites/client/judging/remarks.ts';
import type { ClientJournalLine, ExitLine, ResponseLine } from '../../../suites/client/model/journal.ts';
import { longestSeconds, watchedAtMost } from '../../../suites/client/run/plan.ts';
import { attachedClient } from '../../../suites/client/scenarios/index.ts';
import { ARRIVAL_BOUNDS } from '../../../suites/client/service/request-body.ts';
import type { RunSoFar } from '../../run/progress.ts';
import { columns } from '../terminal.ts';
import type { AttachedClientSettings, ClientSettings, CommandSettings } from './settings.ts';

/** What a run starts, how long it takes at most and what each scenario is about; printed before the first start. */
export const clientPreview = (settings: ClientSettings): readonly string[] =>
  settings.kind === 'command' ? commandPreview(settings) : attachedPreview(settings);

function commandPreview(settings: CommandSettings): readonly string[] {
  const { plan, jobs, address, folder } = settings;
  return [
    ...columns([
      ['Client', clientText(settings)],
      ['Starts', startsText(settings)],
      [
        'Processes',
        `${countOf(Math.min(jobs, plan.starts.length), 'client')} at a time, each in a process group of its own; a watchdog ends them when this program ends`,
      ],
      [
        'Requests',
        `to ${address.host}; each start has a service and a key of its own, and sends at most ${ARRIVAL_BOUNDS.inAll}`,
      ],
      ['Duration', durationLine(settings)],
      ['Folder', join(folder, '/')],
    ]),
    '',
    ...columns(scenarioRows(settings)),
    '',
  ];
}

const clientText = ({ client, exemplary }: CommandSettings): string =>
  exemplary
    ? `the bundled exemplary client; test your own with: ${COMMAND} certify-client -- COMMAND`
    : client.words.join(' ');

function startsText({ plan }: CommandSettings): string {
  const further = plan.ifUnclear.length;
  const more = further === 0 ? '' : `; ${further} more if the client shows no backoff of its own`;
  return `${plan.starts.length}${more}`;
}

function durationLine({ plan, jobs, seconds }: CommandSettings): string {
  const longest = longestSeconds(plan.starts, jobs);
  const further = longestSeconds(plan.ifUnclear, jobs);
  const bound = seconds === undefined ? '' : `; --seconds ends the run after ${durationText(seconds)}`;
  const more = further > 0 ? `, ${durationText(further)} more if its backoff stays unclear` : '';
  return `at most ${durationText(longest)}${more}; less where the client ends earlier${bound}`;
}

function scenarioRows({ plan }: CommandSettings): readonly (readonly string[])[] {
  const played = [...new Set([...plan.starts, ...plan.ifUnclear].map(({ played }) => played))];
  return played.map((scenario) => [
    scenario.id,
    scenario.repetitions === 1 ? '' : `×${scenario.repetitions}`,
    `≤ ${durationText(watchedAtMost(scenario))}`,
    scenario.when === 'unclear backoff'
      ? `${scenario.description} Only if the backoff stays unclear.`
      : scenario.description,
  ]);
}

const attachedPreview = ({ address, folder }: AttachedClientSettings): readonly string[] => [
  ...columns([
    ['Client', 'one that you attach'],
    ['Service', `listens at ${address.host}${address.port === 0 ? '' : `, port ${address.port}`}`],
    ['Responses', attachedClient.description],
    ['Judged', `${attachedClient.decides.join(', ')} as far as its requests show; the rest is not tested`],
    ['Folder', join(folder, '/')],
  ]),
  '',
];

/** The starts of a run of a client so far. News are that one begins, is rate-limited first, or ends. */
export function clientRunSoFar(planned: number): RunSoFar<ClientJournalLine> {
  const running = new Map<number, { readonly name: string; readonly requests: number }>();
  /** The starts of the requests without a response, by their numbers. */
  const startOf = new Map<number, number>();
  let begun = 0;
  let ended = 0;
  let latest = '';
  const respond = (line: ResponseLine): string | undefined => {
    const start = startOf.get(line.n) ?? 0;
    startOf.delete(line.n);
    const before = running.get(start);
    if (before === undefined) return undefined;
    running.set(start, { ...before, requests: before.requests + 1 });
    return before.requests === 0 ? `${before.name}: ${waitAfter(line)}` : undefined;
  };
  const exit = ({ start, how }: ExitLine): string | undefined => {
    const before = running.get(start);
    running.delete(start);
    ended += 1;
    if (before === undefined) return undefined;
    const after = how.kind === 'not-started' ? '' : `, after ${countOf(before.requests, 'response')}`;
    return `${before.name}: ${howEnded(how)}${after}`;
  };
  const newsIn = (line: ClientJournalLine): string | undefined => {
    if (line.kind === 'start') {
      const name = `${line.scenario} ${line.repetition}`;
      begun += 1;
      running.set(line.start, { name, requests: 0 });
      return `${name}: waits for the first request of the client`;
    }
    if (line.kind === 'arrival') startOf.set(line.n, line.start);
    if (line.kind === 'response') return respond(line);
    return line.kind === 'exit' ? exit(line) : undefined;
  };
  return {
    update(line) {
      const news = newsIn(line);
      latest = news ?? latest;
      return news === undefined ? undefined : 'news';
    },
    text: () => `${ended} of ${Math.max(planned, begun)} starts ended · ${latest}`,
  };
}

function waitAfter({ status, headers }: ResponseLine): string {
  if (status !== 429) return `waits for the next request, or for the end of the client, after ${status}`;
  const after = headerValue(headers, 'Retry-After');
  if (after === undefined) return 'waits for the next request after 429 without Retry-After';
  return /^\d+$/.test(after)
    ? `expects the next request at the earliest ${durationText(Number(after))} after the 429`
    : `expects the next request at the earliest at ${after}`;
}
