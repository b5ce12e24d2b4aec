import { hash } from 'node:crypto';
import { memoizeFor } from './memoize-for.ts';

/** From this age on, a poll begins the next reading and does not wait for it. */
export const sharedMsMax = 300;
/** Changes by workers and other apis may appear this late. Screens poll every two seconds or less often. */
export const sharedStaleMsMax = 600;

type Versioned<T> = { version: string; body: T };

export type SharedReply<T> = {
  /** The version of the body for its ETag. Not a promise if it is cached, as in nearly every poll. */
  version(): string | Promise<string>;
  /** The body. It is the same object until it changes, so that it is serialized and compressed once. */
  body(): Promise<T>;
  /** Clears the cache: the next call reads again. */
  forget(): void;
};

/** A small reply that all polls share (docs/decisions/0014). Its version is a hash of its text. */
export function sharedReply<T extends object>(read: () => Promise<T>): SharedReply<T> {
  let last: Versioned<T> | undefined;
  const memo = memoizeFor<Versioned<T>>(
    async () => {
      const body = await read();
      const version = hash('sha256', JSON.stringify(body), 'base64url');
      if (last?.version !== version) last = { version, body };
      return last;
    },
    { msMax: sharedMsMax, staleMsMax: sharedStaleMsMax, keysMax: 1 },
  );
  return {
    version() {
      const known = memo.get('');
      return known instanceof Promise ? known.then(({ version }) => version) : known.version;
    },
    body: async () => (await memo.get('')).body,
    forget: memo.forget,
  };
}
