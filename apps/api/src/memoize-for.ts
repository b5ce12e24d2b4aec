export type Memo<T> = {
  /** The answer for a key, at most `msMax` old. Not a promise if it is cached. */
  get(key: string): T | Promise<T>;
  /** Clears the cache. Pending answers are not cached either. */
  forget(): void;
};

type Options<T> = {
  msMax: number;
  keysMax: number;
  /** Which answers to cache; by default all. */
  isKept?: (answer: T) => boolean;
};

/**
 * Caches answers of `ask` for `msMax`, counted from the call, so no answer is older than that. Concurrent callers share
 * one call. Failures, and answers that `isKept` rejects, are shared by concurrent callers only. Keeps the latest
 * `keysMax` answers; the next call after an answer's time removes it.
 */
export function memoizeFor<T>(
  ask: (key: string) => Promise<T>,
  { msMax, keysMax, isKept = () => true }: Options<T>,
): Memo<T> {
  type Entry = { at: number; answer: T | Promise<T> };
  /** In the order of calls. */
  const kept = new Map<string, Entry>();
  const drop = (key: string, entry: Entry) => {
    if (kept.get(key) === entry) kept.delete(key);
  };
  return {
    get(key) {
      const now = performance.now();
      const last = kept.get(key);
      if (last && now - last.at < msMax) return last.answer;
      const answer = ask(key);
      const entry: Entry = { at: now, answer };
      answer.then(
        (known) => {
          entry.answer = known;
          if (!isKept(known)) drop(key, entry);
        },
        () => drop(key, entry),
      );
      kept.delete(key);
      kept.set(key, entry);
      for (const [oldest, { at }] of kept) {
        if (kept.size <= keysMax && now - at < msMax) break;
        kept.delete(oldest);
      }
      return answer;
    },
    forget: () => kept.clear(),
  };
}
