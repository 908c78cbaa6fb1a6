/**
 * The package as a library: test a service, judge a recorded run, write the reports.
 * Everything that the command prints is left to the caller.
 */

export { UserError } from '../../kernel/basics/errors.ts';
export type { Product } from '../../kernel/basics/product.ts';
export type { Exchange } from '../../kernel/exchanges/exchange.ts';
export type { Gate } from '../../kernel/findings/gate-codes.ts';
export type {
  Cause,
  Finding,
  Headline,
  Observation,
  Outcome,
  RunRecord,
  Verdict,
} from '../../kernel/findings/record.ts';
export { renderJson } from '../../reports/files.ts';
export { renderHtml } from '../../reports/html/page.ts';
export { renderJunit } from '../../reports/junit.ts';
export { renderSummary } from '../../reports/summary.ts';
export { writeReports } from '../../reports/write.ts';
export { type Limits, loadPlans, type PlanLimits, type Plans } from '../../spec/plans.ts';
export { type Entry, type RequirementId, register } from '../../spec/register.ts';
export { judgeJournal } from '../../suites/service/judge-journal.ts';
export type { JournalLine } from '../../suites/service/model/journal.ts';
export type { Keys } from '../../suites/service/wire/keyring.ts';
export { type Certification, type CertifyOptions, certify } from './certify.ts';
