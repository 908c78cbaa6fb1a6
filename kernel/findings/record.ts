import type { Limits } from '../../spec/plans.ts';
import type { EntryId, Level, RequirementId } from '../../spec/register.ts';
import type { Product } from '../basics/product.ts';
import type { ClientDescription, ClientTimeline } from './client.ts';
import type { Acceptance, Checked, Contradiction, Undecided } from './finding-text.ts';
import type {
  KeyCount,
  LatencySummary,
  LoadEnding,
  LoadEnvironment,
  LoadPhase,
  RecordedFiles,
  Threshold,
} from './load.ts';
import type { Selection, TestedTarget } from './tested.ts';

/** What the evidence says about one requirement. Only `fail` counts against the target. */
export type Verdict = 'pass' | 'fail' | 'warn' | 'inconclusive' | 'not-tested';

/** What the evidence says about the target as a whole. */
export type Outcome = 'conforms' | 'violates' | 'incomplete';

/** What a partial run answers about its selection: something fails, a MUST is inconclusive, or everything passes. */
export type PartialAnswer = 'pass' | 'fail' | 'inconclusive';

/** What explains most of a record, and is read before anything else. */
export interface Headline {
  /**
   * `wrong-target`: the target is not the service, so there is no verdict. `key-rejected`: nothing that needs a key
   * could be tested. `server-fails`: every list and every creation with the key got a 5xx. `other-plan`: the responses
   * name the limit of another plan. `no-requests`: the client under test sent nothing, so there is no verdict.
   * `fault-not-shown`: the run against the bundled server cannot show its injected fault.
   */
  readonly kind:
    | 'wrong-target'
    | 'key-rejected'
    | 'server-fails'
    | 'other-plan'
    | 'no-requests'
    | 'fault-not-shown';
  /** The problem, in one or two sentences. */
  readonly text: string;
  /** What to do about it. */
  readonly fix: string;
}

/** Several findings with one common cause. Their verdicts stay as they are; the fix stands here once. */
export interface Cause {
  /** Kebab case, for programs; of a record's causes several may have the same id with different titles. */
  readonly id: string;
  /** The cause in one sentence. */
  readonly title: string;
  /** The findings that it explains, those that follow from others last; at least two. */
  readonly requirements: readonly FindingId[];
  /** How to fix it, in the framework of the target where the responses show which it is. */
  readonly fix?: string;
  /** Whether an app with the fault fails and the same app with this fix passes; absent in earlier reports. */
  readonly fixProven?: boolean;
}

/** A violation that the owner of a target knows and accepts for a time. */
export interface KnownViolation extends Acceptance {
  /** An id of the register. */
  readonly id: string;
}

/** A record compared with a baseline; ids in the order of the register. */
export interface BaselineCheck {
  /** Violations that the baseline knows and that have not expired. */
  readonly known: readonly string[];
  /** Violations that the baseline does not know. */
  readonly unknown: readonly string[];
  /** Violations whose entry expired before the day on which the run began. */
  readonly expired: readonly KnownViolation[];
  /** Entries whose requirement did not fail although it was tested: they have to be removed. */
  readonly stale: readonly string[];
  /** Entries whose requirement was not tested or stayed inconclusive: nothing is known of them. */
  readonly undecided: readonly string[];
}

/** One requirement, judged: what holds for every verdict, and what the verdict rests on. */
export type Finding = FindingHead &
  (Checked | (Contradiction & Remedy & Repeatable) | (Undecided & Repeatable));

/** An id of the register, or that of a user's threshold. */
export type FindingId = EntryId | ThresholdId;

/** What every finding has, whatever its verdict. */
export interface FindingHead {
  readonly id: FindingId;
  readonly level: Exclude<Level, 'OBSERVE'>;
  readonly chapter: string;
  /** The sentence of the register. */
  readonly sentence: string;
  /** Where it is stated, for example `interface-specification.md#authentication`. */
  readonly from: string;
  /** The finding as running text, derived from its parts (`becauseOf`). */
  readonly because: string;
  /** The numbers of the exchanges that the verdict rests on. */
  readonly exchanges: readonly number[];
}

/** A threshold that a user sets for a load run: they are numbered in their order, and `LATENCY` is that of `--latency-ms`. */
export type ThresholdId = 'LATENCY' | `THRESHOLD-${number}`;

/** How to fix what a finding states. */
export interface Remedy {
  /** One or two sentences; absent where a cause of the record has the fix, or where no usual cause is known. */
  readonly fix?: string;
  /** Whether an app with the fault fails and the same app with this fix passes; absent with a fix of clients. */
  readonly fixProven?: boolean;
}

/** How a person sees a finding again. */
export interface Repeatable {
  /** A shell command that sends the request again; absent where there is nothing to repeat. */
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
  /** What to do about it, where good practice suggests something that the specification does not require. */
  readonly advice?: string;
}

/** The record of a run: everything a report needs, and exactly what `report.json` holds. `subject` says what was tested. */
export type RunRecord = ServiceRecord | ClientRecord | LoadRecord;

/** What every record holds, whatever was tested. */
export interface CommonRecord {
  readonly schemaVersion: 2;
  readonly suite: { readonly name: string; readonly version: string };
  /** Absent in the record of a load run of an earlier version. */
  readonly spec?: RecordedSpecification;
  /** The journal that was judged; absent where it was never a file. */
  readonly journal?: { readonly digest: string };
  /** What the user stated about the product under test; absent where nothing was. */
  readonly product?: Product;
  /** ISO 8601. */
  readonly startedAt: string;
  /** ISO 8601; for a journal that was cut off, the time of its last line. */
  readonly finishedAt: string;
  readonly requests: { readonly total: number; readonly keyed: number };
  readonly strict: boolean;
  readonly outcome: Outcome;
  /** What the run was limited to; absent where it was complete. A partial run has the outcome `violates` or `incomplete`. */
  readonly selection?: Selection;
  /** What a partial run answers about its selection; absent where the run was complete, and in reports of earlier versions. */
  readonly partial?: PartialAnswer;
  /** Where the record of the run lacks something, so that it does not show all that fails; the remarks say what. */
  readonly lacking?: true;
  /** The violations compared with a baseline; absent where the run had none. */
  readonly baseline?: BaselineCheck;
  /** Absent where nothing explains most of the record. */
  readonly headline?: Headline;
  /** The causes that explain several findings each; empty where every finding stands alone. */
  readonly causes: readonly Cause[];
  /** Why the run is weaker than it could be, for a person: it was interrupted, a short demonstration window, and so on. */
  readonly remarks: readonly string[];
  readonly requirements: readonly Finding[];
  readonly observations: readonly Observation[];
  /** The exchanges that findings and observations cite, by number, so that a report can show them. */
  readonly evidence: readonly EvidenceExcerpt[];
  /** Every exchange in figures, for a picture of the run; absent in the reports of earlier versions. */
  readonly timeline?: Timeline;
}

/** The specification that a run was recorded for. */
export interface RecordedSpecification {
  readonly version: string;
  readonly digest: string;
}

/** The exchanges of a run in figures, in the order of sending. */
export interface Timeline {
  readonly entries: readonly TimelineEntry[];
  /** Exchanges that were left out of a long run: accepted ones, evenly. */
  readonly omitted: number;
}

/** One exchange in figures. Times are milliseconds; what the response does not say is absent. */
export interface TimelineEntry {
  readonly n: number;
  /** Whose key it carried, by its name, such as `key` or `unauthenticated`. */
  readonly caller: string;
  /** Since the first request of the run. */
  readonly at: number;
  /** From sending to the last byte received. */
  readonly milliseconds: number;
  /** Null where no response came. */
  readonly status: number | null;
  /** X-RateLimit-Remaining. */
  readonly remaining?: number;
  /** When the advertised window ends (X-RateLimit-Reset), since the first request of the run and on the clock of its machine. */
  readonly reset?: number;
  /** The wait that a 429 announces with Retry-After, from its arrival. */
  readonly wait?: number;
}

/** The record of a run that tested a service. */
export interface ServiceRecord extends CommonRecord {
  readonly subject: 'service';
  readonly spec: RecordedSpecification;
  readonly target: TestedTarget;
  /** The assumption of the run: the user stated that no other client used the key under test. */
  readonly exclusiveKey: boolean;
}

/** The record of a run that tested a client. */
export interface ClientRecord extends CommonRecord {
  readonly subject: 'client';
  readonly spec: RecordedSpecification;
  readonly client: ClientDescription;
  /** What happened in each start of the client, in the order of the plan. */
  readonly timelines: readonly ClientTimeline[];
}

/** The record of a load run. Latency, phases and keys are its own; everything else is as in any record. */
export interface LoadRecord extends CommonRecord {
  readonly subject: 'load';
  /** `bundled`: the server that comes with this program. */
  readonly target: { readonly baseUrl: string; readonly plan: string; readonly bundled?: true };
  /** The files that were judged; absent where they cannot be read again. */
  readonly recorded?: RecordedFiles;
  /** The id of the load profile. */
  readonly profile: string;
  readonly limits: Limits;
  readonly ended: LoadEnding;
  /** Planned and actual requests of each key. */
  readonly keys: readonly KeyCount[];
  /** Milliseconds from the intended send time to the last byte, without the preflight request of each key; null where there is no other response. */
  readonly latencyMs: LatencySummary | null;
  /** How much later than planned requests were sent, milliseconds; null where no request had a planned send time. */
  readonly scheduleDelayMs: { readonly p50: number; readonly p99: number; readonly max: number } | null;
  /** The phases of a profile that compares them, in their order; absent for the other profiles. */
  readonly phases?: readonly LoadPhase[];
  /** The user's thresholds for this profile; absent where there are none. Each quantity is a requirement. */
  readonly thresholds?: readonly Threshold[];
  /** The machine and programs of the run, so that two runs can be compared fairly. */
  readonly environment: LoadEnvironment;
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
  /** `200`, or why no response came. */
  readonly answer: string;
  readonly answerHeaders: readonly string[];
  readonly answerBody: string | null;
  /** Milliseconds from sending to the last byte received. */
  readonly milliseconds: number;
  /** Milliseconds since the first request of the run. */
  readonly at: number;
}
