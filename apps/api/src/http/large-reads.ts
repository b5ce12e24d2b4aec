import { type Db, type OpenDatabase, readUntilAborted } from '@draftshelf/core/connection/database';
import { Refusal } from './refusal.ts';
import { createTurns } from './turns.ts';

const atOnceMax = 2;
/** A later answer is useless: the operator has gone on, or asks again. */
const waitMsMax = 2_000;

/** Refuses with 409 after 2 s of waiting. `signal` cancels the statement. */
export type LargeReads = <T>(signal: AbortSignal, read: (trx: Db) => Promise<T>) => Promise<T>;

export function largeReads(db: OpenDatabase['db']): LargeReads {
  const inTurn = createTurns({ max: atOnceMax, waitMsMax, refuse: busy });
  return (signal, read) => inTurn(() => readUntilAborted(db, signal, read));
}

const busy = () =>
  new Refusal(409, { code: 'busy', message: 'Other long lists are being read. Try again in a moment.' });
