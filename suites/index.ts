/**
 * The library: record a run against a target in a journal, and judge a journal
 * into a run record.
 */

export type { Exchange } from '../exchanges/exchange.ts';
export { type JudgeOptions, judge } from './judge/judge.ts';
export type { JournalContents, JournalLine, Limits, RunLine } from './model/journal.ts';
export type { Cause, Finding, Headline, Observation, Outcome, RunRecord, Verdict } from './model/record.ts';
export { TargetLostError } from './pacing/transport.ts';
export { probes } from './probes/index.ts';
export type { Probe, RunInputs } from './probes/probe.ts';
export { planRun, type RunPlan, requestsOf } from './run/plan.ts';
export { type RunHead, recordRun, WrongTargetError } from './run/record-run.ts';
export { probesFor } from './run/select.ts';
export { type Clock, systemClock } from './wire/clock.ts';
export { basePath, HttpWire, type WireOptions } from './wire/http-wire.ts';
export { type Journal, JournalError, JournalFile } from './wire/journal-file.ts';
export { readJournal } from './wire/journal-reader.ts';
export type { Keys } from './wire/keyring.ts';
export type { SessionOptions } from './wire/session.ts';
