export type Memo<T> = {
  /** The answer for a key: one that was asked for less than `msMax` ago, or a new one; no promise where it is known. */
  get(key: string): T | Promise<T>;
  /** What is asked for from now on is asked anew. */
  forget(): void;
};

type Options<T> = {
  msMax: number;
  keysMax: number;
  /** Which answers are worth keeping: all, where it is absent. */
  isKept?: (answer: T) => boolean;
};

/**
 * Lets callers who ask the same within `msMax` share one answer. The time counts from the asking, so no answer is
 * older than that; a failure, and an answer that is not kept, is shared only by those who wait for it. At most
 * `keysMax` answers are kept, the latest, and none for longer than until the next question after its time.
 */
export function memoizeFor<T>(
  ask: (key: string) => Promise<T>,
  { msMax, keysMax, isKept = () => true }: Options<T>,
): Memo<T> {
  type Asked = { at: number; answer: T | Promise<T> };
  /** In the order of asking. */
  const kept = new Map<string, Asked>();
  const drop = (key: string, asked: Asked) => {
    if (kept.get(key) === asked) kept.delete(key);
  };
  return {
    get(key) {
      const now = Date.now();
      const last = kept.get(key);
      if (last && now - last.at < msMax) return last.answer;
      const answer = ask(key);
      const asked: Asked = { at: now, answer };
      answer.then(
        (known) => {
          asked.answer = known;
          if (!isKept(known)) drop(key, asked);
        },
        () => drop(key, asked),
      );
      kept.delete(key);
      kept.set(key, asked);
      for (const [oldest, { at }] of kept) {
        if (kept.size <= keysMax && now - at < msMax) break;
        kept.delete(oldest);
      }
      return answer;
    },
    forget: () => kept.clear(),
  };
}
