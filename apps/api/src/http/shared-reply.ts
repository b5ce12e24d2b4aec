import { hash } from 'node:crypto';
import { memoizeFor } from './memoize-for.ts';

/** From 300 ms on, a poll begins the next reading without waiting. Others' changes may appear 600 ms late. */
export const sharedReading = { msMax: 300, staleMsMax: 600, keysMax: 1 };
// While imports run, each reading differs and would be serialized, compressed and sent to all browsers.
const progressMsMin = 2_000;

type Versioned<T> = { version: string; body: T };

/** `isSame`: only progress has changed, which makes a new version every two seconds at most. */
export function steadyVersions<T>(isSame: (before: T, after: T) => boolean) {
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

/** Shared by all polls (docs/why/web.md). `isSame`: whether two bodies differ in progress only. */
export function sharedReply<T extends object>(
  read: () => Promise<T>,
  isSame: (before: T, after: T) => boolean = () => false,
) {
  const versions = steadyVersions(isSame);
  const memo = memoizeFor<Versioned<T>>(async () => {
    const body = await read();
    return versions.next(hash('sha256', JSON.stringify(body), 'base64url'), body);
  }, sharedReading);
  return {
    version: async () => (await memo.get('')).version,
    /** The same object until it changes, so that it is serialized and compressed once. */
    body: async () => (await memo.get('')).body,
    forget() {
      memo.forget();
      versions.forget();
    },
  };
}
