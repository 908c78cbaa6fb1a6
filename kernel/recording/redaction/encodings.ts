export interface Secret {
  readonly value: string;
  readonly name: string;
  /** The name where it does not stand byte for byte; the same name by default. */
  readonly escapedName?: string;
  /** Whether it is an encoded form, which is replaced anywhere, however short. */
  readonly encoded?: boolean;
}

/** A way to write a whole text in other characters. Those that write one character at a time are in `escapes.ts`. */
interface Encoding {
  /** What follows the name of a secret that was found so. */
  readonly named: string;
  /** Every text that shows that this one was written so. */
  readonly write: (text: string) => readonly string[];
}

/** A shorter form may occur by chance. The digits of base64 that depend on a key of six characters alone are at least as many. */
const SHORTEST_ANYWHERE = 7;

/** The one table of encodings, beside escapes: each of them may itself be escaped. */
const ENCODINGS: readonly Encoding[] = [
  { named: 'in another case', write: (text) => [text.toUpperCase(), text.toLowerCase()] },
  { named: 'in UTF-16', write: (text) => [[...text].join('\0')] },
  {
    named: 'in hexadecimal',
    write: (text) =>
      ['', ' ', ':', '-', ',', ', ', ' 0x', ',0x', ', 0x'].flatMap((between) => {
        const hex = hexOf(text);
        return [hex, hex.map((byte) => byte.toUpperCase())].map((bytes) => bytes.join(between));
      }),
  },
  { named: 'in bytes', write: (text) => [',', ', ', ' '].map((sign) => bytesOf(text).join(sign)) },
  { named: 'in another spelling', write: respelled },
  {
    named: 'in base32',
    write: (text) =>
      [0, 1, 2, 3, 4].flatMap((before) => {
        const digits = digitsOf(text, before, BASE32);
        return [digits, digits.toLowerCase()];
      }),
  },
  // Secrets of Kubernetes are encoded twice, and commands of PowerShell are in UTF-16.
  {
    named: 'in base64',
    write: (text) =>
      [text, base64Of(text, 0)[0], [...text].join('\0')].flatMap((one) =>
        [0, 1, 2].flatMap((before) => base64Of(one, before)),
      ),
  },
];

/** The forms of a secret that are unlike itself; also of what JSON makes of it, which services encode as a whole. */
export function encodedForms({ value, name }: Secret): readonly Secret[] {
  const known = new Set([value]);
  const inJson = JSON.stringify(value).slice(1, -1);
  return ENCODINGS.flatMap(({ named, write }) => {
    const isSpelling = named.startsWith('in another');
    const texts = isSpelling || inJson === value ? [value] : [value, inJson];
    return texts.flatMap(write).flatMap((form) => {
      if (known.has(form)) return [];
      known.add(form);
      return {
        value: form,
        name: `${name} ${named}`,
        encoded: !isSpelling && form.length >= SHORTEST_ANYWHERE,
      };
    });
  });
}

const hexOf = (text: string): readonly string[] =>
  bytesOf(text).map((byte) => byte.toString(16).padStart(2, '0'));

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The digits of base64 that depend on the text alone, also in the alphabet of URLs (RFC 4648 §5). */
function base64Of(text: string, before: number): readonly [string, string] {
  const digits = digitsOf(text, before, BASE64);
  return [digits, ofUrls(digits)];
}

const ofUrls = (digits: string): string => digits.replaceAll('+', '-').replaceAll('/', '_');

/** Those that depend on the text alone, so many bytes into a group: it is found in Basic behind any user name. */
function digitsOf(text: string, before: number, alphabet: string): string {
  const size = Math.log2(alphabet.length);
  const bytes = bytesOf(text);
  let digits = '';
  for (let at = (size - ((before * 8) % size)) % size; at + size <= 8 * bytes.length; at += size) {
    const two = ((bytes[at >> 3] ?? 0) << 8) | (bytes[(at >> 3) + 1] ?? 0);
    digits += alphabet.charAt((two >> (16 - size - (at & 7))) & (alphabet.length - 1));
  }
  return digits;
}

/** What a service shows that takes a key for a UUID, for base64 or for a part of a form, and writes it anew. */
function respelled(text: string): readonly string[] {
  const bare = text.replaceAll('-', '');
  const uuid = bare.replace(
    /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/i,
    '$1-$2-$3-$4-$5',
  );
  const digits = text.replace(/=+$/, '');
  const inAnyCase = [bare, uuid].flatMap((form) => [form, form.toUpperCase(), form.toLowerCase()]);
  return [...inAnyCase, digits, ofUrls(digits), text.replaceAll('+', ' ')];
}

/** The bytes of a text in UTF-8; k6 has no Buffer. */
const bytesOf = (text: string): readonly number[] =>
  (encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd')).match(/%..|./g) ?? []).map((one) =>
    one.length === 1 ? one.charCodeAt(0) : Number.parseInt(one.slice(1), 16),
  );
