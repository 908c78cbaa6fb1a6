import { join } from 'node:path';
import { durationText } from '../../../kernel/basics/duration-text.ts';
import { countOf } from '../../../kernel/basics/text.ts';
import { longestSeconds, watchedAtMost } from '../../../suites/client/run/plan.ts';
import { attachedClient } from '../../../suites/client/scenarios/attached.ts';
import { ARRIVAL_BOUNDS } from '../../../suites/client/service/arrival-bounds.ts';
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
    ? 'the bundled exemplary client; test your own with: petstore-conformance certify-client -- COMMAND'
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
