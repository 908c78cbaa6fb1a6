/** From this many seconds on, a duration is stated in hours and minutes. */
const HOURS_FROM = 3 * 3600;

/** A number of seconds for a person: `0.4 s`, `12 s`, `2 min 5 s`, `23 h 57 min`. */
export function durationText(seconds: number): string {
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`;
  const rounded = Math.round(seconds);
  if (rounded < 120) return `${rounded} s`;
  if (rounded >= HOURS_FROM) {
    const minutes = Math.round(rounded / 60);
    return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  }
  return `${Math.floor(rounded / 60)} min ${rounded % 60} s`;
}
