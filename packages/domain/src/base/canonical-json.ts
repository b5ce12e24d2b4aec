/** Returns JSON with sorted keys, because jsonb changes the order of keys. `without`: keys left out at any depth. */
export function canonicalJson(value: unknown, without: readonly string[] = []): string {
  return JSON.stringify(sorted(value, without));
}

function sorted(value: unknown, without: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => sorted(one, without));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key]) => !without.includes(key))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, sorted(one, without)]));
}
