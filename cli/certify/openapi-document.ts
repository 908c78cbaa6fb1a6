import { readFileSync, statSync } from 'node:fs';
import type { Dispatcher } from 'undici';
import { Agent, EnvHttpProxyAgent, request } from 'undici';
import { usesProxy } from '../../suites/given/base-url.ts';
import { fileTrouble } from '../../words/file-trouble.ts';
import { UserError } from '../../words/user-error.ts';
import type { OpenapiSource } from './openapi-source.ts';
import { sourceName } from './openapi-source.ts';

/** How the document may be fetched. */
export interface FetchOptions {
  readonly ca: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

const MOST_BYTES = 5 * 1024 * 1024;
const MOST_MS = 10_000;
const MOST_REDIRECTS = 5;

/**
 * Reads the document, bounded in size and time. No key and no header of the
 * run goes with the request, and no redirect leads to another origin.
 * @returns the text, or undefined when `options.signal` aborted.
 * @throws {UserError} when it cannot be had.
 */
export async function readOpenapi(source: OpenapiSource, options: FetchOptions): Promise<string | undefined> {
  if (source.kind === 'file') return readDocumentFile(source.path);
  const dispatcher = dispatcherFor(source.url, options);
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(MOST_MS)]);
  try {
    return await fetchDocument(source.url, dispatcher, signal);
  } catch (error) {
    if (options.signal.aborted) return undefined;
    if (error instanceof UserError) throw error;
    const why = signal.aborted ? `no answer within ${MOST_MS / 1000} s` : causeOf(error);
    throw new UserError(`The OpenAPI document at ${sourceName(source)} cannot be fetched: ${why}.`);
  } finally {
    await dispatcher.destroy();
  }
}

function readDocumentFile(path: string): string {
  try {
    if (statSync(path).size > MOST_BYTES) throw tooLarge(path);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`The OpenAPI document ${path} cannot be read: ${fileTrouble(error)}.`);
  }
}

function dispatcherFor(url: URL, { ca, env }: FetchOptions): Dispatcher {
  const tls = ca === undefined ? {} : { ca };
  return usesProxy(url, env)
    ? new EnvHttpProxyAgent({ requestTls: tls, connect: tls })
    : new Agent({ connect: tls });
}

async function fetchDocument(first: URL, dispatcher: Dispatcher, signal: AbortSignal): Promise<string> {
  let url = first;
  for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
    const { statusCode, headers, body } = await request(url, { dispatcher, signal });
    const location = headers['location'];
    if (statusCode >= 300 && statusCode < 400 && typeof location === 'string') {
      await body.dump();
      url = sameOrigin(url, location);
    } else if (statusCode === 200) {
      return await boundedText(body, url);
    } else {
      await body.dump();
      throw new UserError(
        `The OpenAPI document at ${url.origin + url.pathname} cannot be fetched: it was answered with status ${statusCode} (no key is sent for it); save it and pass the file.`,
      );
    }
  }
  throw new UserError(`The OpenAPI document at ${first.origin + first.pathname} is redirected too often.`);
}

function sameOrigin(from: URL, location: string): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (to?.origin === from.origin) return to;
  throw new UserError(
    `The OpenAPI document at ${from.origin + from.pathname} is redirected to another origin, which is not followed; give the final address.`,
  );
}

async function boundedText(body: AsyncIterable<Uint8Array>, url: URL): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw tooLarge(url.origin + url.pathname);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const tooLarge = (name: string): UserError =>
  new UserError(`The OpenAPI document ${name} is larger than ${MOST_BYTES / 1024 / 1024} MiB.`);

const causeOf = (error: unknown): string =>
  error instanceof Error ? error.message || error.name : String(error);
