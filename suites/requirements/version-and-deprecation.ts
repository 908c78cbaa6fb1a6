import type { Exchange } from '../../exchanges/exchange.ts';
import { exchangeName, outcomeText } from '../../exchanges/exchange-text.ts';
import { answerOf, headerValue, headerValues } from '../../exchanges/headers.ts';
import { parseHttpDate } from '../../exchanges/http-date.ts';
import { quoted } from '../../words/text.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { Judgement, Problem } from '../evidence/judgement.ts';
import { fail, inconclusive, notTested, pass, warn } from '../evidence/judgement.ts';
import type { Observable, Observed, Requirement } from '../evidence/requirement.ts';
import { otherOperations } from '../probes/open-behavior.ts';
import { openapiDocument } from '../probes/openapi-document.ts';
import { mismatches } from './version-and-deprecation/openapi-document.ts';

/** Chapter "Version and deprecation". */
export const versionAndDeprecation: readonly Requirement[] = [
  {
    id: 'VER-1',
    probes: [],
    whyItMatters: 'The version is carried in the path, so that a new one can stand beside it.',
    judge: endsInVersion,
  },
  {
    id: 'VER-2',
    probes: [openapiDocument],
    whyItMatters: 'Clients are generated from the published document; what it says wrong they do wrong.',
    judge: describesTheInterface,
  },
];

function endsInVersion({ run }: Evidence): Judgement {
  if (!URL.canParse(run.target.baseUrl))
    return inconclusive(
      `The journal names ${quoted(run.target.baseUrl)} as the base address, which is none.`,
    );
  const path = new URL(run.target.baseUrl).pathname.replace(/\/+$/, '');
  return path.endsWith('/v1')
    ? pass(`The base address ${run.target.baseUrl} ends in /v1.`)
    : fail(`Expected a base address that ends in the segment /v1, but it is ${quoted(run.target.baseUrl)}.`);
}

function describesTheInterface(evidence: Evidence): Judgement {
  if (!evidence.run.inputs.openapi)
    return notTested('It needs the address or the file of the target’s OpenAPI document (--openapi).');
  const [root, ...parts] = evidence.documents;
  if (root === undefined) return inconclusive(evidence.whyNothing(openapiDocument));
  const { problems, unread } = mismatches(root, parts);
  const of = (kind: Problem['kind']) => problems.filter((problem) => problem.kind === kind);
  const text = (found: readonly Problem[]): string =>
    `Expected an OpenAPI 3.0.3 document of version 1.0.0 that describes the operations, but in the one from ${quoted(root.source)} ${listed(found)}.`;
  if (of('violation').length > 0) return fail(text([...of('violation'), ...of('doubt')]));
  if (of('unclear').length > 0) return inconclusive(text([...of('unclear'), ...of('doubt')]));
  if (of('doubt').length > 0) return warn(text(of('doubt')));
  const left =
    unread.length === 0 ? '' : ` What stands elsewhere was left out: ${unread.slice(0, LISTED).join('; ')}.`;
  return pass(
    `The document from ${quoted(root.source)} is OpenAPI 3.0.3, of version 1.0.0, and describes the operations.${left}`,
  );
}

/** The most that one sentence lists. */
const LISTED = 20;

/** One mismatch as it stands, several with numbers. */
function listed(problems: readonly Problem[]): string {
  const [only, second] = problems;
  if (only !== undefined && second === undefined) return only.text;
  const more = problems.length > LISTED ? `; and ${problems.length - LISTED} more` : '';
  const numbered = problems.slice(0, LISTED).map(({ text }, i) => `(${i + 1}) ${text}`);
  return `there are ${problems.length} mismatches: ${numbered.join('; ')}${more}`;
}

/** What the specification leaves open about deprecation. */
export const openDeprecation: readonly Observable[] = [
  {
    id: 'DEP-1',
    probes: [otherOperations],
    observe(evidence) {
      const asked = evidence.of(otherOperations).find(({ request }) => request.target.endsWith('/pets/1'));
      if (asked === undefined) return { value: evidence.whyNothing(otherOperations) };
      return deprecation(asked);
    },
  },
];

/** RFC 9745 §2.1: a structured-field Date. */
const DEPRECATION_DATE = /^@-?[0-9]{1,15}$/;

function deprecation(exchange: Exchange): Observed {
  const headers = answerOf(exchange)?.headers ?? [];
  const said = headerValue(headers, 'Deprecation');
  const sunset = headerValue(headers, 'Sunset');
  const value = `${exchangeName(exchange)} ${outcomeText(exchange)}; Deprecation: ${said === undefined ? 'absent' : quoted(said)}; Sunset: ${sunset === undefined ? 'absent' : quoted(sunset)}.`;
  const warning = malformed(
    headerValues(headers, 'Deprecation').length,
    said,
    headerValues(headers, 'Sunset').length,
    sunset,
  );
  return { value, exchanges: [exchange], ...(warning === undefined ? {} : { warning }) };
}

function malformed(
  deprecations: number,
  said: string | undefined,
  sunsets: number,
  sunset: string | undefined,
): string | undefined {
  if (deprecations > 0 && (said === undefined || !DEPRECATION_DATE.test(said))) {
    return 'Deprecation is no structured-field date such as @1688169599 (RFC 9745 §2.1).';
  }
  // RFC 8594's own editors wrote UTC for GMT once; the zone is the same.
  const end = sunset === undefined ? undefined : parseHttpDate(sunset.replace(/ UTC$/, ' GMT'));
  if (sunsets > 0 && end === undefined) return 'Sunset is no HTTP-date (RFC 8594 §3).';
  if (said !== undefined && end !== undefined && end.seconds < Number(said.slice(1))) {
    return 'Sunset lies before Deprecation (RFC 9745 §4).';
  }
  return undefined;
}
