/**
 * The random numbers of a run depend on the name of its subject. A fault or
 * variant that was renamed keeps the name that its committed results were drawn
 * under, so that a rename changes no result.
 */
const SEED_NAMES: Readonly<Record<string, string>> = {
  'rejection-without-headers': 'refusal-without-headers',
  'rejection-without-reset': 'refusal-without-reset',
  'unauthenticated-counted-for-a-key': 'strangers-spend-the-key',
  'variant/queue-instead-of-429': 'variant/queue-instead-of-refusal',
  'variant/unauthenticated-limited-by-address': 'variant/strangers-limited-by-address',
  'variant/unauthenticated-not-counted': 'variant/strangers-not-counted',
  'variant/requests-beyond-limit-restart-window': 'variant/refusals-restart-the-window',
  'variant/requests-beyond-limit-double-the-wait': 'variant/refusals-double-the-wait',
  'variant/ban-with-401': 'variant/ban-told-as-401',
  'variant/ban-with-403': 'variant/ban-told-as-403',
  'variant/ban-with-429': 'variant/ban-told-as-429',
  'variant/key-exhausted': 'variant/key-used-up',
  'variant/other-key-exhausted': 'variant/other-key-used-up',
  'variant/other-key-always-exhausted': 'variant/other-key-always-used-up',
  'variant/other-key-exhausted-with-the-first': 'variant/other-key-used-up-beside-the-first',
};

/** The name that seeds the random numbers of a subject, such as `variant/key-exhausted/lossy`. */
export function seedNameOf(subject: string): string {
  const end = subject.lastIndexOf('/');
  const name = subject.slice(0, end);
  return `${SEED_NAMES[name] ?? name}${subject.slice(end)}`;
}
