import type { Db } from '../../connection/database.ts';
import { markDone } from '../../work/claim-chunk.ts';
import type { TaskPartHandler } from '../../work/tasks.ts';
import { removeAsks } from './ai-asks.ts';
import { endAsking, findAskingRefusal, readAiSwitches } from './ai-imports.ts';
import type { AiTarget } from './collect-asks.ts';
import { lockAiService, toServiceName } from './service.ts';

type Database = Parameters<TaskPartHandler>[0];
type Chunk = Parameters<TaskPartHandler>[1];

/** The AI service used by one part of the task. `version` is the version of ai_service, read before the address. */
export type AskedService = AiTarget & { version: number; isSimulated: boolean };

const serviceChanged = 'Another AI service was set, so asking AI was stopped.';

/** Ends the task and returns true if its import may not use AI or began with another service. Locks the service. */
export async function endTaskIfAiOff(db: Database, chunk: Chunk, asked: AskedService): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const service = await lockAiService(trx);
    const switches = await readAiSwitches(trx, chunk.import_id);
    // If the version differs, a service was set in the meantime, and the next part of the task uses that service.
    const isOther = service.version === asked.version && switches?.target !== toServiceName(asked);
    const reason = switches?.asks ? (findAskingRefusal(switches) ?? (isOther ? serviceChanged : null)) : null;
    if (switches?.asks && reason === null) return false;
    await endAskingTask(trx, chunk, reason);
    return true;
  });
}

export const endTaskWithoutService = (db: Database, chunk: Chunk): Promise<'done'> =>
  db.transaction().execute(async (trx) => {
    await lockAiService(trx);
    return endAskingTask(trx, chunk, 'No AI service is set up.');
  });

/** Ends the task. With a reason, also ends the import's asking and removes its queued products. */
export async function endAskingTask(trx: Db, chunk: Chunk, reason: string | null): Promise<'done'> {
  if (reason !== null) {
    await endAsking(trx, chunk.import_id, reason);
    await removeAsks(trx, chunk.import_id, ['wanted']);
  }
  return markDone(trx, chunk);
}

/** Ends the asking early and locks the service. The caller locks the import first: another order could deadlock. */
export async function abandonAsking(db: Db, importId: string, reason: string): Promise<void> {
  await lockAiService(db);
  await endAsking(db, importId, reason);
  await removeAsks(db, importId, ['wanted']);
}
