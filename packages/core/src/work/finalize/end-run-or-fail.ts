import type { Db } from '../../connection/database.ts';
import type { ChunkRecord, ImportRecord } from '../../connection/schema.ts';
import { countChunks } from '../chunks.ts';
import { markDone } from '../claim-chunk.ts';
import { failImport } from '../fail-import.ts';
import { rereadFaultSentence, rollBackReread } from '../reread-rollback.ts';
import { endRun } from '../runs.ts';

/**
 * Marks the finalize chunk of a locked import done, and ends its run if all chunks are done. Dead chunks fail the
 * import, or roll a re-read back. Returns whether the run has ended.
 */
export async function endRunOrFail(db: Db, record: ImportRecord, chunk: ChunkRecord): Promise<boolean> {
  await markDone(db, chunk);
  const { undone, dead, causes, outOfAttempts } = await countChunks(db, chunk);
  // A retry has reopened chunks, so the finalize runs again when no chunk is open.
  if (undone > 0) return false;
  if (dead === 0) {
    await endRun(db, chunk);
    return true;
  }
  const unread = `The file couldn’t be read with these settings: ${causesOf(causes)}.`;
  if (!(await rollBackReread(db, record, { sentence: outOfAttempts > 0 ? rereadFaultSentence : unread }))) {
    await failImport(db, record.id, chunk.stage, deadSentence(dead, causes));
  }
  return false;
}

function deadSentence(dead: number, causes: readonly string[]): string {
  const parts = dead === 1 ? '1 part of the file' : `${dead} parts of the file`;
  return `${parts} couldn’t be processed: ${causesOf(causes)}. Retry picks up only what’s missing.`;
}

const causesOf = (causes: readonly string[]): string =>
  causes.map((cause) => cause.replace(/\.$/, '')).join('; ') || 'unknown cause';
