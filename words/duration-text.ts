/** A number of seconds for a person: `0.4 s`, `12 s`, `2 min 5 s`. */
export function durationText(seconds: number): string {
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`;
  const rounded = Math.round(seconds);
  if (rounded < 120) return `${rounded} s`;
  return `${Math.floor(rounded / 60)} min ${rounded % 60} s`;
}
