export type SharedAnswers<T> = {
  /** The answer for a key: one that was asked for less than `msMax` ago, or a new one; no promise where it is known. */
  get(key: string): T | Promise<T>;
  /** What is asked for from now on is asked anew; all keys, where none is named. */
  forget(key?: string): void;
};

/**
 * Lets callers who ask the same within `msMax` share one answer. The time counts from the asking, so no answer is
 * older than that; a failure is shared only by those who wait for it. At most `keysMax` answers are kept.
 */
export function sharedAnswers<T>(
  ask: (key: string) => Promise<T>,
  { msMax, keysMax }: { msMax: number; keysMax: number },
): SharedAnswers<T> {
  type Asked = { at: number; answer: T | Promise<T> };
  const kept = new Map<string, Asked>();
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
        },
        () => kept.get(key) === asked && kept.delete(key),
      );
      if (kept.size >= keysMax) kept.clear();
      kept.set(key, asked);
      return answer;
    },
    forget(key) {
      if (key === undefined) kept.clear();
      else kept.delete(key);
    },
  };
}
