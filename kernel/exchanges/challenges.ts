/** A token of HTTP, and what may stand behind the scheme of a challenge (RFC 9110 §11.2, §11.3). */
const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
const PARAMETER = new RegExp(`^${TOKEN}[ \\t]*=[ \\t]*(?:${TOKEN}|"(?:[^"\\\\]|\\\\.)*")$`, 's');
const SCHEME = new RegExp(`^(${TOKEN})(?:[ \\t]+(.*))?$`, 's');
const TOKEN68 = /^[\w.~+/-]+=*$/;

/**
 * The schemes of the challenges in a WWW-Authenticate field, in lower case (RFC 9110 §11.6.1). A field may hold several
 * challenges, and a challenge several parameters, both separated by commas. What is no challenge is left out.
 */
export function challengeSchemes(field: string): readonly string[] {
  const schemes: string[] = [];
  for (const element of elementsOf(field)) {
    if (PARAMETER.test(element)) continue;
    const [, scheme, rest] = SCHEME.exec(element) ?? [];
    if (scheme !== undefined && (rest === undefined || TOKEN68.test(rest) || PARAMETER.test(rest)))
      schemes.push(scheme.toLowerCase());
  }
  return schemes;
}

/** The elements of a list, separated by the commas outside of quotation marks. */
function elementsOf(field: string): readonly string[] {
  const elements: string[] = [];
  let begins = 0;
  let quoted = false;
  for (let at = 0; at < field.length; at += 1) {
    const c = field[at];
    if (quoted && c === '\\') at += 1;
    else if (c === '"') quoted = !quoted;
    else if (c === ',' && !quoted) {
      elements.push(field.slice(begins, at).trim());
      begins = at + 1;
    }
  }
  return [...elements, field.slice(begins).trim()].filter((one) => one !== '');
}
