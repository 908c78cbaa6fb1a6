import type { Exchange } from './exchange.ts';

/** Whether an exchange is of one of the two operations whose shapes the specification shows: list and create categories. */
export function isDocumentedOperation(exchange: Exchange): boolean {
  const { target } = exchange.request;
  const query = target.indexOf('?');
  return target.endsWith('/categories', query === -1 ? target.length : query);
}

/** The operation as a router tells them apart: `GET /v1/categories`. */
export const operationOf = ({ request }: Exchange): string =>
  `${request.method} ${request.target.split('?')[0]}`;
