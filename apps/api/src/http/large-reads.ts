import { type Db, type OpenDatabase, readUntilAborted } from '@draftshelf/core/connection/database';
import { Refusal } from './refusal.ts';
import { createTurns } from './turns.ts';

/** One keeps a processor busy for as long as it takes. */
const atOnceMax = 2;
/** An answer that comes later is of no use: the operator has gone on, or asks again. */
const waitMsMax = 2_000;

/**
 * Runs a read of many rows in a transaction, two at a time. Refuses with 409 one that waited 2 s for its turn. When
 * `signal` aborts, because nobody waits for the reply any more, its statement is cancelled.
 */
export type LargeReads = <T>(signal: AbortSignal, read: (trx: Db) => Promise<T>) => Promise<T>;

export function largeReads(db: OpenDatabase['db']): LargeReads {
  const inTurn = createTurns({ max: atOnceMax, waitMsMax, refuse: busy });
  return (signal, read) => inTurn(() => readUntilAborted(db, signal, read));
}

const busy = () =>
  new Refusal(409, { code: 'busy', message: 'Other long lists are being read. Try again in a moment.' });
