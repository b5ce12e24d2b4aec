export type Memo<T> = {
  get(key: string): Promise<T>;
  /** Drops all cached answers. Answers of running calls are not cached. */
  forget(): void;
};

type Options<T> = {
  msMax: number;
  keysMax: number;
  isKept?: (answer: T) => boolean;
  /** From age `msMax` to `staleMsMax`, a caller gets the cached answer, and a new call starts. Default: `msMax`. */
  staleMsMax?: number;
};

type Answer<T> = { at: number; answer: Promise<T> };
type Entry<T> = { known?: Answer<T>; asked: Answer<T> };

/** Caches answers by key, for `msMax` from the start of a call. Concurrent callers share a call, even if it fails. */
export function memoizeByKey<T>(
  ask: (key: string) => Promise<T>,
  { msMax, keysMax, isKept = () => true, staleMsMax = msMax }: Options<T>,
): Memo<T> {
  /** Ordered by call, the oldest first. */
  const kept = new Map<string, Entry<T>>();
  const askFor = (key: string, now: number, known: Answer<T> | undefined): Promise<T> => {
    const asked = { at: now, answer: ask(key) };
    const entry: Entry<T> = known ? { known, asked } : { asked };
    const drop = () => {
      if (kept.get(key) === entry) kept.delete(key);
    };
    asked.answer.then((answer) => {
      if (isKept(answer)) entry.known = asked;
      else drop();
    }, drop);
    kept.delete(key);
    kept.set(key, entry);
    for (const [oldest, { asked: latest }] of kept) {
      if (kept.size <= keysMax && now - latest.at < staleMsMax) break;
      kept.delete(oldest);
    }
    return asked.answer;
  };
  return {
    get(key) {
      const now = performance.now();
      const isYounger = ({ at }: Answer<T>, ms: number) => now - at < ms;
      const { known, asked } = kept.get(key) ?? {};
      if (known && isYounger(known, msMax)) return known.answer;
      const isUnderWay = asked && asked.at !== known?.at && isYounger(asked, staleMsMax);
      const next = isUnderWay ? asked.answer : askFor(key, now, known);
      return known && isYounger(known, staleMsMax) ? known.answer : next;
    },
    forget: () => kept.clear(),
  };
}
