import { quoted } from '../../../../kernel/basics/text.ts';
import { FILE_BASE } from '../../evidence/openapi/description.ts';
import { readText } from '../../evidence/openapi/read-text.ts';
import { referencesIn, targetOf } from '../../evidence/openapi/references.ts';
import type { PublishedDocument } from '../../model/journal.ts';

/** The text at one address, or why it was not read, as the end of a sentence about the address. */
export type DocumentReading =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unread'; readonly why: string };

/** Reads a referenced document, at most this many bytes of it. */
export type ReadReferenced = (address: URL, mostBytes: number) => Promise<DocumentReading>;

/** The most referenced documents that are read. */
export const MOST_REFERENCED_DOCUMENTS = 50;

/** The most bytes of all of them together. */
const MOST_BYTES = 1024 * 1024;

/**
 * Reads every document that a description refers to, directly or through others, one after another and each once.
 * References are treated as hostile: none is followed to another origin or out of the folder of a file, and number
 * and size are bounded. A document that is not read is recorded with the reason, so that a judge knows of the gap.
 */
export async function readReferencedDocuments(
  root: RootDocument,
  read: ReadReferenced,
): Promise<readonly PublishedDocument[]> {
  const known = new Set([root.address]);
  const queue = targetsOf(root);
  const documents: PublishedDocument[] = [];
  let bytes = MOST_BYTES;
  for (const address of queue) {
    if (known.has(address)) continue;
    if (documents.length >= MOST_REFERENCED_DOCUMENTS) break;
    known.add(address);
    const url = new URL(address);
    const why = whyForbidden(url, new URL(root.address));
    const reading: DocumentReading = why === undefined ? await read(url, bytes) : { kind: 'unread', why };
    const document = recorded(url, reading);
    bytes -= Buffer.byteLength(document.text);
    documents.push(document);
    queue.push(...targetsOf(document));
  }
  return documents;
}

/** The description itself, with the address that its references are relative to. */
export type RootDocument = PublishedDocument & { readonly address: string };

function whyForbidden(address: URL, { protocol, origin }: URL): string | undefined {
  if (address.username !== '' || address.password !== '') return 'holds credentials';
  if (protocol === 'file:')
    return address.href.startsWith(FILE_BASE) ? undefined : 'lies outside the folder of the document';
  // The origin of every address that is not HTTP is "null".
  return address.origin === origin && origin !== 'null'
    ? undefined
    : 'is at another origin, and such references are not followed';
}

function recorded(address: URL, reading: DocumentReading): PublishedDocument {
  const document = { source: recordedName(address), address: address.href };
  return reading.kind === 'text'
    ? { ...document, text: reading.text }
    : { ...document, text: '', unread: `${quoted(document.source)} ${reading.why}` };
}

/** An address as the journal records it: without the query, which may hold a credential. */
function recordedName({ protocol, origin, pathname, href }: URL): string {
  if (href.startsWith(FILE_BASE)) return decodeURIComponent(href.slice(FILE_BASE.length));
  return protocol === 'http:' || protocol === 'https:' ? origin + pathname : `${protocol}${pathname}`;
}

/** The addresses of the other documents that this one refers to. */
function targetsOf({ address = '', text, unread }: PublishedDocument): string[] {
  const content = unread === undefined ? readText(text) : undefined;
  if (content === undefined || !('value' in content)) return [];
  const targets = [...referencesIn(content.value)].map((reference) => targetOf(reference, address)?.address);
  return [...new Set(targets.filter((target) => target !== undefined))];
}
