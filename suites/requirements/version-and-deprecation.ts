import type { Evidence } from '../evidence/evidence.ts';
import type { Judgement } from '../evidence/judgement.ts';
import { fail, inconclusive, notTested, pass } from '../evidence/judgement.ts';
import { fate, name, quote } from '../evidence/quote.ts';
import type { Observable, Observed, Requirement } from '../evidence/requirement.ts';
import type { Exchange } from '../model/exchange.ts';
import { answerOf, headerValue, headerValues, httpDate } from '../model/headers.ts';
import { otherOperations } from '../probes/open-questions.ts';
import { openapiDocument } from '../probes/openapi-document.ts';
import { documentProblem } from './version-and-deprecation/openapi-document.ts';

/** Chapter "Version and deprecation". */
export const versionAndDeprecation: readonly Requirement[] = [
  {
    id: 'VER-1',
    asks: [],
    matters: 'The version is carried in the path, so that a new one can stand beside it.',
    judge: endsInVersion,
  },
  {
    id: 'VER-2',
    asks: [openapiDocument],
    matters: 'Clients are generated from the published document; what it says wrong they do wrong.',
    judge: describesTheInterface,
  },
];

function endsInVersion({ run }: Evidence): Judgement {
  if (!URL.canParse(run.target.baseUrl))
    return inconclusive(`The journal names ${quote(run.target.baseUrl)} as the base address, which is none.`);
  const path = new URL(run.target.baseUrl).pathname.replace(/\/+$/, '');
  return path.endsWith('/v1')
    ? pass(`The base address ${run.target.baseUrl} ends in /v1.`)
    : fail(`Expected a base address that ends in the segment /v1, but it is ${quote(run.target.baseUrl)}.`);
}

function describesTheInterface(evidence: Evidence): Judgement {
  if (!evidence.run.given.openapi)
    return notTested('It needs the address or the file of the target’s OpenAPI document (--openapi).');
  const [document] = evidence.documents;
  if (document === undefined) return inconclusive(evidence.whyNothing(openapiDocument));
  const problem = documentProblem(document.text);
  if (problem === undefined) {
    return pass(
      `The document from ${quote(document.source)} is OpenAPI 3.0.3, of version 1.0.0, and describes the operations.`,
    );
  }
  const because = `Expected an OpenAPI 3.0.3 document of version 1.0.0 that describes the operations, but in the one from ${quote(document.source)} ${problem.text}.`;
  return problem.kind === 'violation' ? fail(because) : inconclusive(because);
}

/** What the specification leaves open about deprecation. */
export const openDeprecation: readonly Observable[] = [
  {
    id: 'DEP-1',
    asks: [otherOperations],
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
  const value = `${name(exchange)} ${fate(exchange)}; Deprecation: ${said === undefined ? 'absent' : quote(said)}; Sunset: ${sunset === undefined ? 'absent' : quote(sunset)}.`;
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
  const end = sunset === undefined ? undefined : httpDate(sunset.replace(/ UTC$/, ' GMT'));
  if (sunsets > 0 && end === undefined) return 'Sunset is no HTTP-date (RFC 8594 §3).';
  if (said !== undefined && end !== undefined && end.seconds < Number(said.slice(1))) {
    return 'Sunset lies before Deprecation (RFC 9745 §4).';
  }
  return undefined;
}
