import { quoted } from '../../../kernel/basics/text.ts';
import type { ArrivalLine } from './journal.ts';

/** What stands for the key in a journal where it was sent as it is. */
export const KEY = '[key]';

/** What each name begins with that stands for the key, in whatever form it was sent. */
const KEY_NAME = '[key';

/** Whether the key stands in a text of the journal, in any form. */
export const hasKeyIn = (text: string): boolean => text.includes(KEY_NAME);

/**
 * Whether the head of a request proves that the client of this start sent it: its path begins with the prefix that only
 * this client was given, or the key stands in it, which no other program knows. A client may leave the prefix out, as
 * one does that takes only the host of its base address; another program that happens to use the port can do neither.
 * @param prefix undefined where the address of the service is not that of one start: every request is the client's then.
 */
export const isFromClient = (
  { target, headers }: Pick<ArrivalLine, 'target' | 'headers'>,
  prefix: string | undefined,
): boolean =>
  prefix === undefined ||
  originForm(target).startsWith(`${prefix}/`) ||
  hasKeyIn(target) ||
  headers.some(([name, value]) => hasKeyIn(name) || hasKeyIn(value));

/** As the client would have sent it to a service at the root of its host. */
export function targetWithout(prefix: string | undefined, target: string): string {
  const path = originForm(target);
  return prefix !== undefined && path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
}

/** "A server MUST accept the absolute-form in requests" (RFC 9112 §3.2.2): the same target without scheme and host. */
const originForm = (target: string): string => target.replace(/^https?:\/\/[^/?#]*(?=\/)/i, '');

/** What stands in the line of an error in the runtimes of the languages: `TypeError: …`, `Caused by: java.net.ConnectException: …`, `panic: …`. */
const ERROR = /(?:Error|Exception|panic(?:ked)?|[Ff]atal)\b/;

/** Where an error happened, before what happened: "/srv/retry.rb:220:in `pause': ". A long path would leave no characters for the error. */
const PLACE = /^\S+:\d+:(?:in [`'][^`']*': )?\s*/;

/** The last error that a client names, and otherwise its last line, as a sentence; undefined where it printed nothing. */
export function printedText(output: string): string | undefined {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const error = lines.findLast((line) => ERROR.test(line));
  if (error !== undefined) return `It printed: ${quoted(error.replace(PLACE, ''))}.`;
  const last = lines.at(-1);
  return last === undefined ? undefined : `The last line that it printed: ${quoted(last)}.`;
}
