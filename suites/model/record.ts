import type { Level, RequirementId } from '../../spec/register.ts';

/** What the evidence says of one requirement. Only `fail` accuses. */
export type Verdict = 'pass' | 'fail' | 'warn' | 'inconclusive' | 'not-tested';

/** What the evidence says of the target as a whole. */
export type Outcome = 'conforms' | 'violates' | 'incomplete';

/** What explains most of a record, and is read before anything else. */
export interface Headline {
  /**
   * `wrong-target`: the target is not the service, so there is no verdict.
   * `key-rejected`: nothing that needs a key could be tested. `other-plan`: the
   * responses name the limit of another plan.
   */
  readonly kind: 'wrong-target' | 'key-rejected' | 'other-plan';
  /** What is the matter, in one or two sentences. */
  readonly text: string;
  /** What to do about it. */
  readonly fix: string;
}

/** Several findings with one common cause. Their verdicts stay as they are; the cause says what to fix once. */
export interface Cause {
  /** Kebab case, for programs; of a record's causes several may have the same id with different titles. */
  readonly id: string;
  /** The cause in one sentence. */
  readonly title: string;
  /** The findings that it explains, in the order of the register; at least two. */
  readonly requirements: readonly RequirementId[];
  /** What to write to fix it, with the usual way in the framework where the responses show which it is. */
  readonly fix?: string;
}

/** One requirement, judged. */
export interface Finding {
  readonly id: RequirementId;
  readonly level: Exclude<Level, 'OBSERVE'>;
  readonly chapter: string;
  /** The sentence of the register. */
  readonly sentence: string;
  /** Where the specification says it, for example `interface-specification.md#authentication`. */
  readonly from: string;
  readonly verdict: Verdict;
  /** One or more sentences for a person: what was expected, what came, in which exchange, why it matters. */
  readonly because: string;
  /** The numbers of the exchanges that the verdict rests on. */
  readonly exchanges: readonly number[];
  /** How to fix it, in one or two sentences; absent where no usual cause is known, or where a cause of the record says it. */
  readonly fix?: string;
  /** A shell command that repeats the finding by hand; absent where there is nothing to repeat. */
  readonly repeat?: string;
}

/** Something the specification leaves open, as the target does it. Never judged. */
export interface Observation {
  readonly id: RequirementId;
  readonly chapter: string;
  readonly sentence: string;
  readonly value: string;
  readonly exchanges: readonly number[];
  /** Set where an observed value is malformed by its own standard (RFC); makes no outcome worse. */
  readonly warning?: string;
}

/** Everything a report needs, and exactly what `report.json` holds. */
export interface RunRecord {
  readonly schemaVersion: 1;
  readonly suite: { readonly name: string; readonly version: string };
  readonly spec: { readonly version: string; readonly digest: string };
  readonly target: { readonly baseUrl: string; readonly plan: string };
  /** ISO 8601. */
  readonly startedAt: string;
  /** ISO 8601; for a journal that was cut off, the time of its last line. */
  readonly finishedAt: string;
  readonly requests: { readonly total: number; readonly keyed: number };
  readonly strict: boolean;
  /** The assumption of the run: the user stated that no other client used the examined key. */
  readonly exclusiveKey: boolean;
  readonly outcome: Outcome;
  /** Absent where nothing explains most of the record. */
  readonly headline?: Headline;
  /** The causes that explain several findings each; empty where every finding stands alone. */
  readonly causes: readonly Cause[];
  /** Why the run is weaker than it could be, for a person: interrupted, a short demonstration window, and so on. */
  readonly remarks: readonly string[];
  readonly requirements: readonly Finding[];
  readonly observations: readonly Observation[];
  /** The exchanges that findings and observations cite, by number, so that a report can show them. */
  readonly evidence: readonly EvidenceExcerpt[];
}

/** A cited exchange, shortened for a person. */
export interface EvidenceExcerpt {
  readonly n: number;
  readonly probe: string;
  readonly step: string;
  /** `GET /v1/categories`. */
  readonly request: string;
  readonly requestHeaders: readonly string[];
  readonly requestBody: string | null;
  /** `200`, or the cause of the silence. */
  readonly answer: string;
  readonly answerHeaders: readonly string[];
  readonly answerBody: string | null;
  /** Milliseconds from sending to the last byte received. */
  readonly milliseconds: number;
  /** Milliseconds since the first request of the run. */
  readonly at: number;
}
