import type { QueryClient, QueryFilters } from '@tanstack/react-query';

/**
 * Shows a change before the server has answered, in all matching reads of the cache. Reads that are under way would
 * show the state before, so they are cancelled. Returns the function that takes the change back; what was read or
 * changed since then stays.
 */
export async function assume<Data>(
  client: QueryClient,
  reads: QueryFilters,
  change: (now: Data) => Data,
): Promise<() => void> {
  await client.cancelQueries(reads);
  const changes = client.getQueriesData<Data>(reads).flatMap(([key, before]) => {
    if (before === undefined) return [];
    const after = client.setQueryData(key, change(before));
    return after === before ? [] : [{ key, before, after }];
  });
  return () => {
    for (const { key, before, after } of changes) {
      client.setQueryData(key, (now: Data | undefined) => (now === after ? before : now));
    }
  };
}

/** The change in all of several places, taken back together. */
export async function assumeAll(changes: readonly Promise<() => void>[]): Promise<() => void> {
  const takeBack = await Promise.all(changes);
  return () => {
    for (const undo of takeBack) undo();
  };
}
