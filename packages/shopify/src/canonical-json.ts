import { createHash } from 'node:crypto';

/** JSON with sorted keys and without undefined ones, because Postgres' jsonb changes the order of keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

/**
 * The hex sha256 of a draft product's canonical JSON, which the store keeps in our `payload` metafield. Refused
 * quantities are left out: they are not sent.
 */
export function payloadHash(draft: object): string {
  const sent = JSON.stringify(sorted(draft, ['refused_quantity']));
  return createHash('sha256').update(sent).digest('hex');
}

function sorted(value: unknown, without: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((one) => sorted(one, without));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key]) => !without.includes(key))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, sorted(one, without)]));
}
