const atOnce = 4;

/** Returns results in the order of `items`. After a failure or abort, aborts running items and starts no more. */
export async function mapInParallel<Item, Result>(
  items: readonly Item[],
  signal: AbortSignal,
  work: (item: Item, at: number, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const failed = new AbortController();
  const ending = AbortSignal.any([signal, failed.signal]);
  const results: Result[] = [];
  const queue = items.entries();
  const takeItems = async () => {
    for (const [at, item] of queue) {
      ending.throwIfAborted();
      results[at] = await work(item, at, ending);
    }
  };
  const takers = Array.from({ length: atOnce }, () => takeItems().catch((error) => failed.abort(error)));
  await Promise.all(takers);
  failed.signal.throwIfAborted();
  return results;
}
