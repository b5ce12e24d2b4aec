/**
 * Runs `work` on all items, `atOnce` at a time, and returns its results in the order of the items. After a failure, or
 * when `signal` aborts, it begins no other item, aborts the signal of those that run, waits for them, and throws.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  { atOnce, signal }: { atOnce: number; signal: AbortSignal },
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
