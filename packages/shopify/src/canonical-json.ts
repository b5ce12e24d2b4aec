import { createHash } from 'node:crypto';

/** JSON with sorted keys and without undefined ones, because Postgres' jsonb changes the order of keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

/** The hex sha256 of a draft product's canonical JSON, which the store keeps in our `payload` metafield. */
export function payloadHash(draft: object): string {
  return createHash('sha256').update(canonicalJson(draft)).digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, sorted(one)]));
}
