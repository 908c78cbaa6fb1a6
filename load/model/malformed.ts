/**
 * How k6, and Go beneath it, call a response that came and that they cannot read: its head, its chunks, its content
 * coding, or a switch of protocols. Go 1.26 and k6 2.2 word them so.
 */
const MALFORMED =
  /too many transfer encodings|unsupported transfer encoding|cannot contain multiple Content-Length|(?:bad|invalid empty) Content-Length|malformed (?:HTTP|MIME header|chunked)|chunk(?:ed)? (?:length|line)|error decompressing response body|unsupported response status/i;

/** Whether this error of k6 is about a response that came: the network lost nothing then. Certify judges its bytes (HTTP-4, MEDIA-1). */
export const isMalformed = (error: string): boolean => MALFORMED.test(error);
