/**
 * The library: record a run of a target in a journal, and judge a journal into a record.
 */

export type { Exchange } from '../exchanges/exchange.ts';
export type { Limits } from '../spec/plans.ts';
export type { TargetAccess } from './inputs/target-access.ts';
export { type JudgeOptions, judge } from './judge/judge.ts';
export { type JudgingOptions, judgeJournal } from './judge-journal.ts';
export type { JournalContents, JournalLine, RunLine } from './model/journal.ts';
export type { Cause, Finding, Headline, Observation, Outcome, RunRecord, Verdict } from './model/record.ts';
export { TargetLostError } from './pacing/transport.ts';
export { probes } from './probes/index.ts';
export type { Probe, RunInputs } from './probes/probe.ts';
export { LostRunError } from './run/lost-run.ts';
export { planRun, type RunPlan, requestsOf } from './run/plan.ts';
export { recordOverHttp } from './run/record-over-http.ts';
export { type RunEquipment, recordRun, WrongTargetError } from './run/record-run.ts';
export { type RecordingOptions, recordToFile } from './run/record-to-file.ts';
export {
  type FurtherKeys,
  furtherKeysIn,
  type RunOptions,
  type RunSettings,
  type SettledRun,
  settleRun,
} from './run/run-settings.ts';
export { probesFor } from './run/select.ts';
export { type Journal, JournalError, JournalFile } from './wire/journal-file.ts';
export { readJournal } from './wire/journal-reader.ts';
export type { Keys } from './wire/keyring.ts';
