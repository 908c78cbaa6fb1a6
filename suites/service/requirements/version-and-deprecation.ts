import { capitalized, quoted } from '../../../kernel/basics/text.ts';
import type { Exchange, HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import { operationOf } from '../../../kernel/exchanges/exchange.ts';
import { headersOf, headerValue, headerValues } from '../../../kernel/exchanges/headers.ts';
import { receivedText } from '../../../kernel/exchanges/outcome-kinds.ts';
import { parseHttpDate } from '../../../kernel/exchanges/rate-headers.ts';
import type { Fact } from '../../../kernel/findings/finding-text.ts';
import type { Judgement } from '../../../kernel/findings/judgement.ts';
import { fail, inconclusive, notTested, pass, unproven, warn } from '../../../kernel/findings/judgement.ts';
import type { Evidence, Observable, Observed, Requirement } from '../evidence/evidence.ts';
import { jsonValueText } from '../evidence/json.ts';
import { Description } from '../evidence/openapi/description.ts';
import type { Mismatch } from '../evidence/openapi/documents.ts';
import { membersOf } from '../evidence/openapi/documents.ts';
import { mismatches } from './version-and-deprecation/openapi-document.ts';

export const versionAndDeprecation: readonly Requirement[] = [
  {
    id: 'VER-1',
    probes: [],
    whyItMatters: 'With the version in the path, a new version can be served next to the old one.',
    fix: 'Serve the interface under a base address that ends in `/v1`, or give that address to certify.',
    judge: endsInVersion,
  },
  {
    id: 'VER-2',
    probes: ['openapi-document'],
    whyItMatters: 'Clients are generated from the published document, with every mistake in it.',
    fix: 'Publish a document that matches `spec/openapi.yaml` and validates against OpenAPI 3.0.3.',
    judge: describesTheInterface,
  },
];

function endsInVersion({ run }: Evidence): Judgement {
  const { baseUrl } = run.target;
  if (!URL.canParse(baseUrl))
    return inconclusive(`The base address in the journal, ${quoted(baseUrl)}, is not a URL.`);
  const path = new URL(baseUrl).pathname.replace(/\/+$/, '');
  return path.endsWith('/v1')
    ? pass(`The base address ${baseUrl} ends in /v1.`)
    : fail({ expected: 'a base address that ends in the segment /v1', received: quoted(baseUrl) });
}

function describesTheInterface(evidence: Evidence): Judgement {
  if (!evidence.run.inputs.openapi)
    return notTested('It needs the address or the file of the target’s OpenAPI document (--openapi).');
  const [root, ...parts] = evidence.documents;
  if (root === undefined) return inconclusive(evidence.whyNothing('openapi-document'));
  const { found, unread } = mismatches(root, parts);
  const of = (kind: Mismatch['kind']) => found.filter((one) => one.kind === kind);
  const fact = (listed: readonly Mismatch[]): Fact => ({
    expected: 'an OpenAPI 3.0.3 document of version 1.0.0 that describes the operations',
    received: `${mismatchList(listed)} in the document from ${quoted(root.source)}`,
  });
  if (of('violation').length > 0) return fail(fact([...of('violation'), ...of('doubt')]));
  if (of('unclear').length > 0)
    return unproven(
      fact([...of('unclear'), ...of('doubt')]),
      'What was not read may decide the question, so there is no verdict.',
    );
  if (of('doubt').length > 0) return warn(fact(of('doubt')));
  const skipped =
    unread.length === 0
      ? ''
      : ` Parts outside the recorded documents were not checked: ${unread.slice(0, MOST_LISTED).join('; ')}.`;
  return pass(
    `The document from ${quoted(root.source)} is OpenAPI 3.0.3, of version 1.0.0, and describes the operations of the specification: their ids, statuses, bodies in JSON, parameters in paths, security and deprecation.${skipped}`,
  );
}

const MOST_LISTED = 20;

/** One mismatch as it is, several with numbers. */
function mismatchList(mismatches: readonly Mismatch[]): string {
  const [only, second] = mismatches;
  if (only !== undefined && second === undefined) return `a mismatch (${only.text})`;
  const more = mismatches.length > MOST_LISTED ? `; and ${mismatches.length - MOST_LISTED} more` : '';
  const numbered = mismatches.slice(0, MOST_LISTED).map(({ text }, i) => `(${i + 1}) ${text}`);
  return `${mismatches.length} mismatches (${numbered.join('; ')}${more})`;
}

export const openDeprecation: Observable = {
  id: 'DEP-1',
  probes: ['other-operations'],
  observe(evidence) {
    const pet = evidence.of('other-operations').find(({ request }) => request.target.endsWith('/pets/1'));
    return pet === undefined ? { value: evidence.whyNothing('other-operations') } : deprecationOf(pet);
  },
};

/** RFC 9745 §2.1: a structured-field Date. */
const DEPRECATION_DATE = /^@-?[0-9]{1,15}$/;

function deprecationOf(exchange: Exchange): Observed {
  const headers = headersOf(exchange);
  const deprecation = headerValue(headers, 'Deprecation');
  const sunset = headerValue(headers, 'Sunset');
  const value = `${capitalized(receivedText(exchange))}; Deprecation: ${deprecation === undefined ? 'absent' : quoted(deprecation)}; Sunset: ${sunset === undefined ? 'absent' : quoted(sunset)}.`;
  const warning = malformed(headers, deprecation, sunset);
  return { value, exchanges: [exchange], ...(warning === undefined ? {} : { warning }) };
}

/** What is wrong with these two headers by their own standards; the values are undefined where a header is absent or contradicts itself. */
function malformed(
  headers: readonly HeaderLine[],
  deprecation: string | undefined,
  sunset: string | undefined,
): string | undefined {
  const has = (name: 'Deprecation' | 'Sunset'): boolean => headerValues(headers, name).length > 0;
  if (has('Deprecation') && (deprecation === undefined || !DEPRECATION_DATE.test(deprecation))) {
    return 'Deprecation is not a structured-field date such as @1688169599 (RFC 9745 §2.1).';
  }
  // Some documents write UTC for GMT; the zone is the same.
  const end = sunset === undefined ? undefined : parseHttpDate(sunset.replace(/ UTC$/, ' GMT'));
  if (has('Sunset') && end === undefined) return 'Sunset is not an HTTP-date (RFC 8594 §3).';
  if (deprecation !== undefined && end !== undefined && end.seconds < Number(deprecation.slice(1))) {
    return 'Sunset lies before Deprecation (RFC 9745 §4).';
  }
  return undefined;
}

/** Names of extensions and headers that state how stable an operation is: `x-stability`, `X-Beta`, `x-maturity-level`. */
const MARKER = /(^|-)(stability|experimental|beta|preview|maturity|lifecycle)(-|$)/i;

/** "Some operations carry a stability marker, experimental or beta": which ones and in what form is not shown. */
export const openStability: Observable = {
  id: 'STAB-1',
  probes: ['other-operations', 'openapi-document'],
  observe(evidence) {
    const exchanges = evidence.exchanges.filter((exchange) => markersOf(exchange).length > 0);
    const inHeaders = new Set(
      exchanges.flatMap((exchange) =>
        markersOf(exchange).map((marker) => `${marker} (${operationOf(exchange)})`),
      ),
    );
    const inDocument = documentMarkers(evidence);
    const headers =
      inHeaders.size === 0
        ? 'No response carries a header with such a marker.'
        : `In headers of responses: ${listed([...inHeaders])}.`;
    return { value: `${documentText(inDocument)} ${headers}`, exchanges: exchanges.slice(0, 1) };
  },
};

const markersOf = (exchange: Evidence['exchanges'][number]): readonly string[] =>
  headersOf(exchange)
    .filter(([name]) => MARKER.test(name))
    .map(([name, value]) => `${quoted(name)}: ${quoted(value)}`);

/** The words of such a name, anywhere in a text: without one there is nothing to look for. */
const WORD = /stability|experimental|beta|preview|maturity|lifecycle/i;

/** The markers of the operations of the published document; undefined where none can be read. */
function documentMarkers({ documents: [root, ...parts] }: Evidence): readonly string[] | undefined {
  if (root === undefined) return undefined;
  if (![root, ...parts].some(({ text }) => WORD.test(text))) return [];
  const description = Description.of(root, parts);
  if (!(description instanceof Description)) return undefined;
  return description.items().flatMap(([path, item]) =>
    membersOf(item?.value).flatMap(([method, operation]) =>
      membersOf(operation)
        .filter(([name]) => name.startsWith('x-') && MARKER.test(name.slice('x-'.length)))
        .map(([name, value]) => `${name} ${jsonValueText(value)} (${method.toUpperCase()} ${quoted(path)})`),
    ),
  );
}

function documentText(markers: readonly string[] | undefined): string {
  if (markers === undefined) return 'No OpenAPI document was read (--openapi).';
  if (markers.length === 0)
    return 'No operation of the OpenAPI document has an extension with such a marker.';
  return `In the OpenAPI document: ${listed(markers)}.`;
}

const listed = (markers: readonly string[]): string =>
  markers.length > MOST_LISTED
    ? `${markers.slice(0, MOST_LISTED).join('; ')}; and ${markers.length - MOST_LISTED} more`
    : markers.join('; ');
