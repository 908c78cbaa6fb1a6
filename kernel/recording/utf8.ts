const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text that these bytes encode in UTF-8, a byte order mark included; undefined where they are not UTF-8. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}
