/**
 * The package as a library: test a service, judge a recorded run, write the reports.
 * Everything that the command prints is left to the caller.
 */
export { renderHtml, renderJson, renderJunit, renderSummary, writeReports } from '../reports/index.ts';
export { type Limits, loadPlans, type PlanLimits, type Plans } from '../spec/plans.ts';
export { type Entry, type RequirementId, register } from '../spec/register.ts';
export type {
  Cause,
  Exchange,
  Finding,
  Headline,
  JournalLine,
  Keys,
  Observation,
  Outcome,
  RunRecord,
  Verdict,
} from '../suites/index.ts';
export { judgeJournal } from '../suites/index.ts';
export type { Gate } from '../suites/model/gate-codes.ts';
export type { Product } from '../words/product.ts';
export { UserError } from '../words/user-error.ts';
export { type Certification, type CertifyOptions, certify } from './certify.ts';
