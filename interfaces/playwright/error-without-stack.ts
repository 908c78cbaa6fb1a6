/**
 * An error for Playwright's reports: the message and nothing else. Playwright prints the text in `stack` and quotes
 * the source line of its first frame, but a finding about a target has no line in this source.
 */
export function errorWithoutStack(message: string): Error {
  const error = new Error(message);
  error.stack = message;
  return error;
}
