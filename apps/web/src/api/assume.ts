import { hashKey, type QueryClient, type QueryFilters, type QueryKey } from '@tanstack/react-query';

type Change = (now: unknown) => unknown;

/** `base`: the data without the changes; `shown`: the data with them. */
type Assumed = { base: unknown; changes: readonly Change[]; shown: unknown };

const assumedOf = new WeakMap<QueryClient, Map<string, Assumed>>();

/** Shows a change before the server answers, and cancels running reads. Returns a function that reverts the change. */
export async function showChange<Data>(
  client: QueryClient,
  reads: QueryFilters,
  change: (now: Data) => Data,
): Promise<() => void> {
  await client.cancelQueries(reads);
  const assumed = change as Change;
  const changed = client.getQueriesData<Data>(reads).flatMap(([key, data]) => {
    if (data === undefined || change(data) === data) return [];
    const known = assumedIn(client).get(hashKey(key));
    const isShown = known !== undefined && known.shown === data;
    show(client, key, isShown ? known.base : data, [...(isShown ? known.changes : []), assumed]);
    return [key];
  });
  return () => {
    for (const key of changed) {
      const known = assumedIn(client).get(hashKey(key));
      // Data that was read after this change is kept.
      if (known === undefined || client.getQueryData(key) !== known.shown) continue;
      show(
        client,
        key,
        known.base,
        known.changes.filter((other) => other !== assumed),
      );
    }
    void client.invalidateQueries(reads);
  };
}

function assumedIn(client: QueryClient): Map<string, Assumed> {
  const known = assumedOf.get(client) ?? new Map<string, Assumed>();
  assumedOf.set(client, known);
  return known;
}

function show(client: QueryClient, key: QueryKey, base: unknown, changes: readonly Change[]): void {
  const shown = client.setQueryData(
    key,
    changes.reduce((now, change) => change(now), base),
    // Keeps the time of the last read from the server, because a change that is shown early is not a read.
    { updatedAt: client.getQueryState(key)?.dataUpdatedAt },
  );
  if (changes.length === 0) assumedIn(client).delete(hashKey(key));
  else assumedIn(client).set(hashKey(key), { base, changes, shown });
}

export async function showChanges(changes: readonly Promise<() => void>[]): Promise<() => void> {
  const takeBack = await Promise.all(changes);
  return () => {
    for (const undo of takeBack) undo();
  };
}
