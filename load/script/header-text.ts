/** No number and no date of HTTP is longer. */
const LONGEST = 64;

/** No word of a number or a date is longer, and no key is shorter that would be one. */
const LONGEST_WORD = 20;

/**
 * A header's value as a sample keeps it: bounded, and without anything that may
 * be a key, in whatever form a target says it back. k6 joins the lines of a
 * header with a comma: two that say the same become one again.
 * @param secrets the keys of the run.
 */
export function headerText(value: string, secrets: readonly string[]): string {
  const once = halfOf(value.trim());
  const cut = once.length > LONGEST ? `${once.slice(0, LONGEST)}…` : once;
  return withoutSecrets(cut, secrets);
}

/** What k6 says of a request without an answer, bounded in the same way. */
export const errorText = (error: string, secrets: readonly string[]): string =>
  withoutSecrets(error.slice(0, 200), secrets);

function halfOf(text: string): string {
  const half = text.slice(0, (text.length - 2) / 2);
  return text === `${half}, ${half}` ? half : text;
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  const known = secrets.filter((secret) => secret !== '');
  const plain = known.reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text);
  return plain.replace(/[^\s,;:"'()[\]]+/g, (word) => (word.length > LONGEST_WORD ? '[long word]' : word));
}
