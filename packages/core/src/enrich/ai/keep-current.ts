import type { Db } from '../../connection/database.ts';
import type { AiAskRecord, AiServiceRecord } from '../../connection/schema.ts';
import { storeHash } from './ai-asks.ts';
import { type AiTarget, hashOfAsk } from './collect-asks.ts';

/**
 * The queued products among these whose hash is that of a request of now. The others were queued for other wishes or
 * another service: they get the hash of now, and their turn comes again.
 */
export async function keepCurrent<T extends AiAskRecord>(
  db: Db,
  asks: readonly T[],
  { target, service }: { target: AiTarget; service: AiServiceRecord },
): Promise<T[]> {
  const current: T[] = [];
  for (const ask of asks) {
    const hash = hashOfAsk(target, service, { fields: ask.fields, sent: ask.sent ?? {} });
    if (hash.equals(ask.hash)) current.push(ask);
    else await storeHash(db, ask, hash);
  }
  return current;
}
