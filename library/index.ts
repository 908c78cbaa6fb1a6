/**
 * The package as a library: test a service, judge a recorded run, write the reports.
 * Everything that the command prints is left to the caller.
 */

export type { Exchange } from '../exchanges/exchange.ts';
export { renderHtml } from '../reports/html/page.ts';
export { renderJson } from '../reports/json.ts';
export { renderJunit } from '../reports/junit.ts';
export { renderSummary } from '../reports/summary.ts';
export { writeReports } from '../reports/write.ts';
export { type Limits, loadPlans, type PlanLimits, type Plans } from '../spec/plans.ts';
export { type Entry, type RequirementId, register } from '../spec/register.ts';
export { judgeJournal } from '../suites/judge-journal.ts';
export type { Gate } from '../suites/model/gate-codes.ts';
export type { JournalLine } from '../suites/model/journal.ts';
export type {
  Cause,
  Finding,
  Headline,
  Observation,
  Outcome,
  RunRecord,
  Verdict,
} from '../suites/model/record.ts';
export type { Keys } from '../suites/wire/keyring.ts';
export type { Product } from '../words/product.ts';
export { UserError } from '../words/user-error.ts';
export { type Certification, type CertifyOptions, certify } from './certify.ts';
