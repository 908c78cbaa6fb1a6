import { durationText } from '../../../kernel/basics/duration-text.ts';
import type { Headline, RunRecord } from '../../../kernel/findings/record.ts';
import type { Fault, RunOption } from '../../../reference-server/catalogue/faults/fault.ts';
import { decidingOptions } from '../../../reference-server/catalogue/faults/fault.ts';
import { pageCommand } from '../../../reports/page-command.ts';
import type { RunInputs } from '../../../suites/service/probes/probe.ts';

/** What a run was given. */
type RunOptions = Pick<RunInputs, 'exclusiveKey' | 'disposableKey' | 'thorough' | 'spendDay' | 'limits'>;

/** The option of the command that gives a run each of these. */
const FLAGS: Readonly<Record<RunOption, string>> = {
  'exclusive key': '--exclusive-key',
  'disposable key': '--disposable-key-env',
  thorough: '--thorough',
  'used day': '--spend-day',
};

/**
 * The record of a run against the bundled server with this fault. Where nothing of the fault shows, it says why instead
 * of "conforms": that sentence would be about a server that violates the specification.
 */
export function withInjectedFault(record: RunRecord, fault: Fault, inputs: RunOptions): RunRecord {
  const { requirements, observations, headline } = record;
  const shows =
    requirements.some(({ verdict }) => verdict === 'fail' || verdict === 'warn') ||
    observations.some(({ warning }) => warning !== undefined);
  if (shows || headline !== undefined) return record;
  return { ...record, outcome: 'incomplete', headline: notShown(record, fault, inputs) };
}

function notShown({ selection }: RunRecord, fault: Fault, inputs: RunOptions): Headline {
  const { id, breaks, warnings = [], undecidable, needs = [] } = fault;
  const violated = [...breaks, ...warnings];
  const ids = (undecidable === undefined ? violated : [undecidable.requirement]).join(' and ');
  const [missing] = [...needs, ...decidingOptions(fault)].filter((option) => !isGiven(option, inputs));
  const seconds = inputs.limits.minuteSeconds;
  const isLeftOut = selection !== undefined && !violated.some((one) => selection.requirements.includes(one));
  const because = whyNot();
  return {
    kind: 'fault-not-shown',
    text: `This run does not show the injected fault \`${id}\`, which violates ${ids}: ${because.text}`,
    fix: because.fix,
  };

  function whyNot(): Pick<Headline, 'text' | 'fix'> {
    if (missing === 'disposable key')
      return {
        text: 'it needs a disposable key, which this run has for faults of bans alone.',
        fix: `Start \`serve --fault ${id}\`, and certify that with \`--target\` and \`--disposable-key-env\`.`,
      };
    if (missing !== undefined)
      return { text: `it needs \`${FLAGS[missing]}\`.`, fix: `Add \`${FLAGS[missing]}\`.` };
    if (undecidable !== undefined)
      return {
        text: `no sound run can. ${undecidable.because}`,
        fix: `\`${pageCommand(undecidable.requirement)}\` lists what ${undecidable.requirement} cannot see.`,
      };
    if (isLeftOut) return { text: 'the run is limited to other requirements.', fix: 'Select these as well.' };
    if (seconds < REAL_MINUTE)
      return {
        text: `a minute of ${durationText(seconds)} is too short for it.`,
        fix: `Give \`--plans\` a plan file with \`"minuteSeconds": ${REAL_MINUTE}\`.`,
      };
    return { text: 'its evidence did not suffice this time.', fix: 'Run again, with `--thorough`.' };
  }
}

const REAL_MINUTE = 60;

function isGiven(option: RunOption, inputs: RunOptions): boolean {
  switch (option) {
    case 'exclusive key':
      return inputs.exclusiveKey;
    case 'disposable key':
      return inputs.disposableKey;
    case 'thorough':
      return inputs.thorough;
    case 'used day':
      return inputs.spendDay === true;
  }
}
