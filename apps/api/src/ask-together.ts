import DataLoader from 'dataloader';

/** A query asks for this many ids at most. */
const idsMax = 500;

/**
 * Asks which ids are among those that `list` returns, with one query at a time: who asks while it is under way shares
 * the next one. A query that fails rejects for those who share it only. Nothing is cached.
 */
export function askTogether(
  list: (ids: readonly string[]) => Promise<ReadonlySet<string>>,
): (id: string) => Promise<boolean> {
  let asking: Promise<unknown> = Promise.resolve();
  const loader = new DataLoader(
    async (ids: readonly string[]) => {
      const listed = list(ids);
      asking = listed.catch(() => {});
      const found = await listed;
      return ids.map((id) => found.has(id));
    },
    { cache: false, maxBatchSize: idsMax, batchScheduleFn: (dispatch) => void asking.then(dispatch) },
  );
  return (id) => loader.load(id);
}
