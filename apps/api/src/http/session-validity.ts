import { type Memo, memoizeFor } from './memoize-for.ts';

/**
 * A session that ended through another api process may stay valid here for this long, because polls share one check.
 */
const staleMsMax = 5_000;
/** From this age on, a poll has it checked again and does not wait for that. */
const msMax = 2_500;
/** As many browsers may poll without a query for each poll. A full cache takes about 2 MB. */
const sessionsMax = 5_000;

/**
 * Caches which cookies belong to a valid session. Only valid ones are kept, so unauthenticated requests use no memory.
 * The key is the cookie itself, because decrypting it takes a third of a poll's time.
 */
export function sessionValidity(check: (cookie: string) => Promise<boolean>): Memo<boolean> {
  return memoizeFor(check, { msMax, staleMsMax, keysMax: sessionsMax, isKept: (isValid) => isValid });
}
