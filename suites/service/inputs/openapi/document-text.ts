/** How the first bytes of a text in UTF-16 look: with a byte order mark, or an ASCII character. */
const UTF_16: readonly (readonly [encoding: string, begins: (first: number, second: number) => boolean])[] = [
  ['utf-16le', (first, second) => (first === 0xff && second === 0xfe) || (first !== 0 && second === 0)],
  ['utf-16be', (first, second) => (first === 0xfe && second === 0xff) || (first === 0 && second !== 0)],
];

/** The text of a document in UTF-8 or UTF-16, without a byte order mark (YAML 1.2 §5.2: a reader supports both). */
export function documentText(bytes: Uint8Array): string {
  const [first = 1, second = 1] = bytes;
  const encoding = UTF_16.find(([, begins]) => begins(first, second))?.[0] ?? 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}
