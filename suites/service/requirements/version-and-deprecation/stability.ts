import { quoted } from '../../../../kernel/basics/text.ts';
import { headersOf } from '../../../../kernel/exchanges/headers.ts';
import { operationOf } from '../../../../kernel/exchanges/operation.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { jsonValueText } from '../../evidence/json-value-text.ts';
import { Description } from '../../evidence/openapi/description.ts';
import { membersOf } from '../../evidence/openapi/json-value.ts';
import type { Observable } from '../../evidence/requirement.ts';
import { otherOperations } from '../../probes/open-behavior.ts';
import { openapiDocument } from '../../probes/openapi-document.ts';

/** Names of extensions and headers that state how stable an operation is: `x-stability`, `X-Beta`, `x-maturity-level`. */
const MARKER = /(^|-)(stability|experimental|beta|preview|maturity|lifecycle)(-|$)/i;

/** The most markers that the observation lists. */
const MOST_LISTED = 20;

/**
 * The markers of operations. "Some operations carry a stability marker,
 * experimental or beta": which ones and in what form is not shown.
 */
export const openStability: readonly Observable[] = [
  {
    id: 'STAB-1',
    probes: [otherOperations, openapiDocument],
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
  },
];

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
