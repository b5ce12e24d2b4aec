/** Milliseconds since 1970. Handed in, so that a test can move time instead of waiting for it. */
export type Clock = () => number;

/** A moment as the Admin API writes it: UTC, whole seconds. */
export function storeTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
