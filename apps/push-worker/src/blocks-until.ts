/**
 * Takes the results of blocks until all are done or `limit` ends one: then the results of those before it. Throws the
 * error of a block, and the limit's if it ended the first.
 */
export async function blocksUntil<T>(limit: AbortSignal, blocks: AsyncIterable<T>): Promise<T[]> {
  const finished: T[] = [];
  try {
    for await (const block of blocks) finished.push(block);
  } catch (error) {
    if (!isReasonOf(limit, error) || finished.length === 0) throw error;
  }
  return finished;
}

/** Whether an error was thrown because a signal was aborted, and not beside that. */
export const isReasonOf = (signal: AbortSignal, error: unknown): boolean =>
  signal.aborted && error === signal.reason;
