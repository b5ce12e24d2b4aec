/** Milliseconds since 1970. Injected, so that tests can move time instead of waiting. */
export type Clock = () => number;

/** A time as the Admin API writes it: UTC, whole seconds. */
export function storeTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
