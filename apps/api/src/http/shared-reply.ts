import { hash } from 'node:crypto';
import { memoizeFor } from './memoize-for.ts';

/** From this age on, a poll begins the next reading and does not wait for it. */
export const sharedMsMax = 300;
/** Changes by workers and other apis may appear this late. Screens poll every two seconds or less often. */
export const sharedStaleMsMax = 600;
/**
 * Progress alone makes a new version this often at most. While imports run, each reading would be another one, which
 * is serialized, compressed and sent to all browsers.
 */
const progressMsMin = 2_000;

type Versioned<T> = { version: string; body: T };

/** Keeps the last version of a body while only its progress has changed, as `isSame` tells, for two seconds at most. */
export function steadyVersions<T>(isSame: (before: T, after: T) => boolean) {
  let last: (Versioned<T> & { at: number }) | undefined;
  return {
    last: (): Versioned<T> | undefined => last,
    /** The version to send: the next one, or the last. */
    next(version: string, body: T): Versioned<T> {
      const now = performance.now();
      const isKept =
        last && (last.version === version || (now - last.at < progressMsMin && isSame(last.body, body)));
      if (!isKept || !last) last = { version, body, at: now };
      return last;
    },
    /** Makes the next difference a new version. */
    forget() {
      if (last) last.at = Number.NEGATIVE_INFINITY;
    },
  };
}

export type SharedReply<T> = {
  /** The version of the body for its ETag. Not a promise if it is cached, as in nearly every poll. */
  version(): string | Promise<string>;
  /** The body. It is the same object until it changes, so that it is serialized and compressed once. */
  body(): Promise<T>;
  /** Clears the cache: the next call reads again. */
  forget(): void;
};

/**
 * A small reply that all polls share (docs/decisions/0014). Its version is a hash of its text. `isSame`: whether two
 * bodies differ in progress only.
 */
export function sharedReply<T extends object>(
  read: () => Promise<T>,
  isSame: (before: T, after: T) => boolean = () => false,
): SharedReply<T> {
  const versions = steadyVersions(isSame);
  const memo = memoizeFor<Versioned<T>>(
    async () => {
      const body = await read();
      return versions.next(hash('sha256', JSON.stringify(body), 'base64url'), body);
    },
    { msMax: sharedMsMax, staleMsMax: sharedStaleMsMax, keysMax: 1 },
  );
  return {
    version() {
      const known = memo.get('');
      return known instanceof Promise ? known.then(({ version }) => version) : known.version;
    },
    body: async () => (await memo.get('')).body,
    forget() {
      memo.forget();
      versions.forget();
    },
  };
}
