import type { SourceReply } from '@draftshelf/domain/enrich/sources';
import type { Db } from '../connection/database.ts';
import { type AdmittedCall, type CallReport, reportCall } from './admit-calls.ts';
import { returnLookup, storeAnswer } from './lookups.ts';

/** Stores a source's reply to an admitted call: the answer about the GTIN and the state of the source. */
export async function recordReply(
  db: Db,
  source: { name: string; baseUrl: string },
  call: AdmittedCall,
  { reply, left }: { reply: SourceReply; left: CallReport['left'] },
): Promise<void> {
  const lookup = { gtin: call.gtin, source: source.name, baseUrl: source.baseUrl };
  await reportCall(db, source.name, call, {
    left,
    quotaUntil: reply.kind === 'quota' ? reply.until : undefined,
    failed: reply.kind === 'failure',
  });
  switch (reply.kind) {
    case 'hit':
      return storeAnswer(db, { ...lookup, answer: reply.answer });
    case 'miss':
      return storeAnswer(db, { ...lookup, answer: null });
    case 'quota':
      return returnLookup(db, lookup, { cause: 'The quota was used up.', counted: false });
    case 'failure':
      return returnLookup(db, lookup, { cause: reply.cause, counted: true });
  }
}
