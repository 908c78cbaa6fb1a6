/** What a connection began with that is no HTTP/1.1, as far as its first bytes show it. */
export type OtherProtocol = 'HTTP/2' | 'TLS';

/** The type of the first record of TLS: a handshake (RFC 8446 §5.1). */
const HANDSHAKE = 0x16;
/** What a client sends that speaks HTTP/2 without having asked (RFC 9113 §3.4). */
const PREFACE = 'PRI * HTTP/2.0';

/** Which other protocol the bytes are of that a parser of HTTP/1.1 did not take; undefined for anything else. */
export function otherProtocolOf(bytes: unknown): OtherProtocol | undefined {
  if (!Buffer.isBuffer(bytes)) return undefined;
  if (bytes[0] === HANDSHAKE) return 'TLS';
  return bytes.subarray(0, PREFACE.length).toString('latin1') === PREFACE ? 'HTTP/2' : undefined;
}
