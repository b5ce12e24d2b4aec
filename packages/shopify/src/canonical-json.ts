import { createHash } from 'node:crypto';

/** JSON with sorted keys and without absent ones: Postgres' jsonb gives objects back in another key order. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

/** The sha256, in hex, of a draft product's canonical JSON: it travels with the product as our `payload` metafield. */
export function payloadHash(draft: object): string {
  return createHash('sha256').update(canonicalJson(draft)).digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, sorted(one)]));
}
