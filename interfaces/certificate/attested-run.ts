import type { Product } from '../../kernel/basics/product.ts';
import type { Static } from '../../kernel/basics/shape.ts';
import { exactly, listOf, object, text } from '../../kernel/basics/shape.ts';
import { durationText, groupedNumber, quoted } from '../../kernel/basics/text.ts';
import type { Limits } from '../../spec/plans.ts';
import { loadPlans } from '../../spec/plans.ts';
import type { ScoredSet } from '../../spec/sets.ts';

/** What a certificate is about, from what was recorded and never from the report. Texts may be foreign. */
export interface Certified {
  /** The base address of a service, or how the client was run. */
  readonly subject: string;
  /** The plan of the key under test and its numbers; undefined of a client. */
  readonly plan: { readonly name: string; readonly limits: Limits } | undefined;
  readonly bundledServer: boolean;
  readonly partial: boolean;
  /** ISO 8601. */
  readonly startedAt: string;
  /** The outcome in the words of every report: `conforms: core + isolation`. */
  readonly words: string;
  readonly product?: Product | undefined;
}

/** The windows of the specification, in seconds. */
const MINUTE = 60;
const DAY = 86_400;

/** Why a true certificate does not say that its subject conforms, in sentences; empty where it says so. */
export function shortcomingsOf(
  { plan, bundledServer, partial }: Certified,
  report: AttestedReport,
): readonly string[] {
  const failed = report.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  const { minuteSeconds, daySeconds } = plan?.limits ?? { minuteSeconds: MINUTE, daySeconds: DAY };
  return [
    ...(failed.length > 0 ? [`The run failed ${failed.join(', ')}.`] : []),
    ...(partial ? ['The run was limited to a part of the requirements.'] : []),
    ...(report.outcome === 'incomplete' && !partial
      ? ['The run is incomplete: nothing failed, but not everything was decided.']
      : []),
    ...(minuteSeconds !== MINUTE || daySeconds !== DAY
      ? [
          `The windows of the run were no minute and day but ${durationText(minuteSeconds)} and ${durationText(daySeconds)}: a demonstration.`,
        ]
      : []),
    ...(plan === undefined ? [] : planShortcomings(plan)),
    ...(bundledServer ? ['The run tested the server that comes with this program.'] : []),
  ];
}

/** A plan file of the vendor's own may state any numbers: those of the specification are known, but for what is set by agreement. */
function planShortcomings({ name, limits }: NonNullable<Certified['plan']>): readonly string[] {
  const { plans } = loadPlans();
  const stated = Object.hasOwn(plans, name) ? plans[name] : undefined;
  if (stated === undefined)
    return [`The specification has no plan ${quoted(name)}, so its limits are those of whoever ran this.`];
  if (stated === null || (stated.perMinute === limits.perMinute && stated.perDay === limits.perDay))
    return [];
  return [
    `The run was judged by other limits than the specification has for plan ${name}: ${groupedNumber(stated.perMinute)} requests a minute and ${groupedNumber(stated.perDay)} a day.`,
  ];
}

/** The commands whose runs can be attested. */
export const RUN_KINDS = ['certify', 'certify-client', 'load'] as const;

export type RunKind = (typeof RUN_KINDS)[number];

/** The report with the verdicts, for programs. */
export const REPORT = 'report.json';

/** What the files of a run are called, and how sentences speak of what was recorded. */
interface RunWords {
  /** The files without which there is nothing to attest, what was recorded first. A load run has files of samples besides. */
  readonly files: readonly [recorded: string, report: typeof REPORT];
  /** Signed where they are there, and needed from then on. */
  readonly further: readonly string[];
  /** Pages for a reader. Signed where they are there; a folder may be handed on without them. */
  readonly pages: readonly string[];
  /** What judging the recorded requests again confirms, as a clause. */
  readonly confirms: string;
  /** What the verdicts follow from, as the beginning of a clause. */
  readonly evidenceGives: string;
}

const CERTIFICATION: RunWords = {
  files: ['journal.ndjson', REPORT],
  further: [],
  pages: ['report.html'],
  confirms: 'the journal gives the verdicts and the evidence of the report',
  evidenceGives: 'the journal gives',
};

export const RUN_WORDS: Readonly<Record<RunKind, RunWords>> = {
  certify: CERTIFICATION,
  'certify-client': {
    ...CERTIFICATION,
    // What a watched client shows of the service behind it.
    further: ['service/report.json'],
    pages: ['report.html', 'service/report.html'],
  },
  load: {
    files: ['load-run.json', REPORT],
    further: [],
    pages: ['report.html'],
    confirms:
      'the samples give the verdicts and the figures of the report, except for what it says of the machine',
    evidenceGives: 'the samples give',
  },
};

/** The names of the files of a run that are signed, as far as they are there; those of samples come on top. */
export const attestedNames = (kind: RunKind): readonly string[] => {
  const { files, further, pages } = RUN_WORDS[kind];
  return [...files, ...further, ...pages];
};

/**
 * What an attestation needs of a report, whatever kind of run it is about; every record has it. Loose on purpose, here and
 * where the rest of a report is read: what an edited report contradicts is to be named, and its schema would only reject it.
 */
export const attestedReport = object({
  suite: object({ version: text }),
  spec: object({ version: text, digest: text }),
  outcome: exactly('conforms', 'violates', 'incomplete'),
  /** Requirements of a certification run, expectations and thresholds of a load run. */
  requirements: listOf(object({ id: text, verdict: text })),
});

export type AttestedReport = Static<typeof attestedReport>;

export interface JudgedAgain {
  readonly report: AttestedReport;
  readonly certified: Certified;
  /** What contradicts the report besides verdicts and outcome, in sentences, such as other figures. */
  readonly contradictions: readonly string[];
  /** Where another version made the run: the set that it scores, and what this version finds outside of it. */
  readonly earlier?: { readonly set: string; readonly besides: AttestedReport['requirements'] };
}

/** What this version finds in the run of another one besides what that one scores, as sentences. */
export const besidesOf = ({ earlier }: JudgedAgain): readonly string[] =>
  earlier === undefined || earlier.besides.length === 0
    ? []
    : [
        `Outside of the set ${earlier.set}, which the certificate scores, this version finds: ${earlier.besides.map(({ id, verdict }) => `${id} ${verdict}`).join(', ')}.`,
      ];

/** A run in a folder, ready to be attested or verified. */
export interface AttestedRun {
  readonly kind: RunKind;
  /** SHA-256 of the attested files that are there, in lower-case hexadecimal digits, by name. */
  readonly digests: Readonly<Record<string, string>>;
  /** The report as the folder has it; undefined where it is none. */
  readonly report: AttestedReport | undefined;
  /**
   * @param earlier what the version scores that made the run, where it is not this one: then verdicts alone can be compared.
   * @throws {UserError} where the recorded requests cannot be judged.
   */
  readonly judgeAgain: (earlier?: ScoredSet) => Promise<JudgedAgain>;
}
