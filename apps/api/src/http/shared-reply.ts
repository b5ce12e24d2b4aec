import { hash } from 'node:crypto';
import { memoizeByKey } from './memoize-for.ts';

/** Once a reading is 300 ms old, a poll begins a new one without waiting. Others' changes appear within 600 ms. */
export const sharedReadOptions = { msMax: 300, staleMsMax: 600, keysMax: 1 };
// Minimum time between versions that differ only in progress. Otherwise each reading would be sent to each browser.
const progressMsMin = 2_000;

type Versioned<T> = { version: string; body: T };

/** Gives a body a new version when it changes, or after `progressMsMin` if only progress changed (`isSame`). */
export function createBodyVersioner<T>(isSame: (before: T, after: T) => boolean) {
  let last: (Versioned<T> & { at: number }) | undefined;
  return {
    last: (): Versioned<T> | undefined => last,
    next(version: string, body: T): Versioned<T> {
      const now = performance.now();
      const isKept =
        last && (last.version === version || (now - last.at < progressMsMin && isSame(last.body, body)));
      if (!isKept || !last) last = { version, body, at: now };
      return last;
    },
    forget() {
      if (last) last.at = Number.NEGATIVE_INFINITY;
    },
  };
}

/** Shares a reading among all polls (docs/why/web.md). `isSame`: whether two bodies differ only in progress. */
export function createSharedReply<T extends object>(
  read: () => Promise<T>,
  isSame: (before: T, after: T) => boolean = () => false,
) {
  const versions = createBodyVersioner(isSame);
  const memo = memoizeByKey<Versioned<T>>(async () => {
    const body = await read();
    return versions.next(hash('sha256', JSON.stringify(body), 'base64url'), body);
  }, sharedReadOptions);
  return {
    version: async () => (await memo.get('')).version,
    /** Returns the same object until the body changes, so that it is serialized and compressed once. */
    body: async () => (await memo.get('')).body,
    forget() {
      memo.forget();
      versions.forget();
    },
  };
}
