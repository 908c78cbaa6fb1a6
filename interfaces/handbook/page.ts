import { UserError } from '../../kernel/basics/errors.ts';
import { COMMAND, capitalized, didYouMean } from '../../kernel/basics/text.ts';
import { groupedBy } from '../../kernel/exchanges/collections.ts';
import type { Expectation } from '../../load/judging/evidence.ts';
import { expectations } from '../../load/judging/expectations/index.ts';
import { profiles } from '../../load/profiles/index.ts';
import { faults } from '../../reference-server/catalogue/faults/index.ts';
import type { Source } from '../../spec/register/statement.ts';
import type { Entry, ExpectationId, RequirementId } from '../../spec/register.ts';
import { entry, isThreshold, loadRegister, register } from '../../spec/register.ts';
import { clientRequirements } from '../../suites/client/judging/requirements/index.ts';
import { scenariosOf } from '../../suites/client/scenarios/index.ts';
import type { FrameworkFix } from '../../suites/service/judge/causes/causes.ts';
import { frameworkFixesOf } from '../../suites/service/judge/causes/causes.ts';
import { probes } from '../../suites/service/probes/index.ts';
import { observables, requirements } from '../../suites/service/requirements/index.ts';

/** The headings of BOUNDS.md under which the bounds of a requirement are derived. A test proves that they exist. */
const DERIVED: Readonly<Partial<Record<RequirementId, readonly string[]>>> = {
  'LIMIT-1': [
    'The shared inequality',
    'Twice the limit',
    'The limit plus refill',
    'Exactly the limit',
    'One announced Reset',
    'Between two 429 responses',
    'A burst from a full bucket',
  ],
  'LIMIT-2': ['A 429 that no conforming limiter sends', 'A constant cost'],
  'LIMIT-3': ['Exactly the limit', 'Between two 429 responses'],
  'LIMIT-4': ['The shared inequality', 'Impossible gain', 'An untouched window'],
  'LIMIT-5': ['Separate counters', 'Counts side by side'],
  'LIMIT-6': ['Lost under concurrency'],
  'LIMIT-7': ['Two control rounds', 'Chance'],
  'LIMIT-8': ['Separate counters', 'Counts side by side'],
  'LIMIT-9': ['A new day', 'Twice the limit'],
  'RATE-6': ['Impossible gain', 'One kind of response', 'Every n-th request', 'A constant cost'],
  'RATE-8': ['An untouched window'],
  'RETRY-3': ['A retry after Retry-After'],
};

/** The headings for a requirement; empty where its judge needs no bound. */
export const headingsOf = (id: RequirementId): readonly string[] => DERIVED[id] ?? [];

const derivationText = (heading: string): string =>
  `${heading} (kernel/rate-limits/BOUNDS.md#${heading.toLowerCase().replaceAll(' ', '-')})`;

/** A page as Markdown. Its texts are our own, so nothing is escaped. */
const page = (id: string, sentence: string, ...sections: readonly (string | undefined)[]): string =>
  `${[`# ${id}`, `**${sentence}**`, ...sections.filter((one) => one !== undefined)].join('\n\n')}\n`;

/** A paragraph, or the items of a list, under a title; undefined where there is none. */
function section(title: string, content: string | readonly string[] | undefined): string | undefined {
  if (content === undefined || content.length === 0) return undefined;
  const body = typeof content === 'string' ? content : content.map((item) => `- ${item}`).join('\n');
  return `## ${title}\n\n${body}`;
}

/** The same for a terminal: without the marks of Markdown, and indented below each title. */
export function pageLines(markdown: string): readonly string[] {
  const [id = '', sentence = '', ...parts] = markdown.trimEnd().replaceAll('`', '').split('\n\n');
  return [
    `${id.slice('# '.length)}: ${sentence.slice('**'.length, -'**'.length)}`,
    ...parts.flatMap((part) =>
      part.startsWith('## ') ? ['', part.slice('## '.length)] : part.split('\n').map((line) => `  ${line}`),
    ),
  ];
}

const LEVELS: Readonly<Record<Entry['level'], string>> = {
  MUST: 'MUST: a violation fails the run.',
  SHOULD: 'SHOULD: a violation warns, and fails with --strict.',
  OBSERVE: 'OBSERVE: the specification leaves it open, so it is recorded and never changes the outcome.',
};

export function pageOf(id: RequirementId): string {
  const { sentence, level, chapter, from, judged } = entry(id);
  const isClients = judged === 'by certify-client';
  const judges: readonly { readonly id: string; readonly whyItMatters: string; readonly fix: string }[] =
    isClients ? clientRequirements : requirements;
  const { whyItMatters, fix } = judges.find((one) => one.id === id) ?? {};
  const command = isClients ? 'certify-client' : 'certify';
  return page(
    id,
    sentence,
    section('Level', `${LEVELS[level]} Chapter: ${chapter}. Judged by \`${command}\`.`),
    section('What the specification says', statedText(from)),
    section('Why it matters', whyItMatters),
    isClients
      ? section('Scenarios that show it', scenariosFor(id))
      : section('Probes that show it', probesFor(id)),
    section('Derivation of its bounds', headingsOf(id).map(derivationText)),
    section('How to fix a violation', fix),
    section('By what the responses show', frameworkFixesOf(id).map(frameworkFixText)),
    section(
      'Faults that it finds',
      isClients
        ? 'Those of the faulty clients in evaluation/CLIENTS.md, each with its verdicts.'
        : faultsOf(id),
    ),
    section('What it cannot see', undecidableFaultsOf(id)),
  );
}

/** A framework once, with every case in which its fixes help. */
const frameworkFixText = ({ framework = 'In any framework', fixes }: FrameworkFix): string =>
  `${framework}. ${[...groupedBy(fixes, ({ text: fix }) => fix)]
    .map(([fix, cases]) => `${capitalized(cases.map(({ where }) => where).join(', or '))}: ${fix}`)
    .join(' ')}`;

const statedText = ({ quote, section, rfc }: Source): string =>
  `“${quote}” (interface-specification.md#${section}).${rfc === undefined ? '' : ` It also rests on ${rfc}.`}`;

/** What the judge of a requirement rests on, one item each. */
function probesFor(id: RequirementId): readonly string[] {
  const judged = requirements.find((one) => one.id === id);
  const needed = (judged ?? observables.find((one) => one.id === id))?.probes ?? [];
  if (judged !== undefined && needed.length === 0)
    return ['No request of its own: what the user gave to the run shows it.'];
  return needed.map((probe) => `\`${probe}\`: ${probes.find((one) => one.id === probe)?.description}.`);
}

const scenariosFor = (id: RequirementId): readonly string[] =>
  scenariosOf(id).map((one) => `\`${one.id}\`: ${one.description}`);

/** The faults of the catalogue that fail a requirement, or make it warn, one item each. */
const faultsOf = (id: RequirementId): readonly string[] =>
  faults.flatMap(({ id: fault, description, breaks, warnings, breaksWith }) => {
    const item = `\`${fault}\`: ${description}`;
    if (breaks.includes(id)) return [item];
    if (warnings.includes(id)) return [`${item} (warn)`];
    const options = Object.entries(breaksWith).flatMap(([option, ids]) =>
      ids?.includes(id) ? [option] : [],
    );
    return options.length === 0 ? [] : [`${item} (with ${options.join(' or ')})`];
  });

/** The violations of a requirement that no sound run can fail, each with the proof. */
const undecidableFaultsOf = (id: RequirementId): readonly string[] =>
  faults.flatMap(({ description, undecidable }) =>
    undecidable?.requirement === id ? [`${description} ${undecidable.because}`] : [],
  );

const PASS_REQUIRES = {
  'every request': 'Every planned request was sent.',
  'every request on schedule': 'Every planned request was sent, on schedule.',
} as const satisfies Record<Expectation['passRequires'], string>;

const RESTS_ON = {
  'each key': 'All requests of each key, one key after the other.',
  'all keys':
    'The requests of all keys, compared with each other; in a run of more than 200,000 requests, one of so many of each key, which the finding says.',
  counts: 'The counts and the percentiles of all keys, which are exact however long the run is.',
} as const satisfies Record<Expectation['scope'], string>;

export function expectationPage(id: ExpectationId): string {
  const { sentence, level, chapter, from } = entry(id);
  const { whyItMatters, passRequires, scope } = expectations[id];
  const names = profiles.filter((one) => one.expects.includes(id)).map((one) => `\`${one.id}\``);
  return page(
    id,
    sentence,
    section('Level', `${LEVELS[level]} Chapter: ${chapter}. Judged by \`load\`.`),
    section(
      'What the specification says',
      from === undefined ? 'Nothing: this is what a load test is for.' : statedText(from),
    ),
    section('Why it matters', whyItMatters),
    section('Profiles that judge it', `${names.join(', ')}.`),
    section('What it rests on', RESTS_ON[scope]),
    section('What a pass needs', PASS_REQUIRES[passRequires]),
    section(
      'What stays inconclusive',
      'What late requests, a run that ended early, or another client of the key could have caused. `--exclusive-key` states that no other client uses the key.',
    ),
  );
}

/** The page of a threshold, which is the user's own: the specification promises no speed. */
function thresholdPage(id: string): string {
  const [sentence, source] =
    id === 'LATENCY'
      ? (['The 99th percentile latency does not exceed your threshold.', 'Set by `--latency-ms`.'] as const)
      : ([
          'The run keeps one of your thresholds.',
          'Set by `thresholds` in the configuration file, or by `--thresholds`. Each quantity (p50, p95, p99, errorRate, minimumRate) of each entry is one expectation; they are numbered in their order.',
        ] as const);
  return page(
    id,
    sentence,
    section('What it is', `A threshold of your own, and no sentence of the specification. ${source}`),
    section('What it rests on', RESTS_ON.counts),
    section(
      'How latency is measured',
      'From the moment at which the schedule intended to send a request, so that a slow response also counts for the requests that it delayed.',
    ),
    section(
      'What stays inconclusive',
      'A latency that exceeds the threshold only because this machine sent requests late, and a rate that the profile did not offer.',
    ),
  );
}

/** The page of a requirement, of an expectation of load, or of a threshold. @throws {UserError} where there is none of this name. */
export function pageNamed(name: string): string {
  const requirement = register.find(({ id }) => id === name);
  if (requirement !== undefined) return pageOf(requirement.id);
  const expectation = loadRegister.find(({ id }) => id === name);
  if (expectation !== undefined) return expectationPage(expectation.id);
  if (isThreshold(name)) return thresholdPage(name);
  const ids = [...register, ...loadRegister].map(({ id }) => id);
  throw new UserError(
    `There is no requirement "${name}": "${COMMAND} explain" lists them.${didYouMean(name, ids)}`,
  );
}
