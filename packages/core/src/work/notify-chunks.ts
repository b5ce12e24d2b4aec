import type { Stage } from '@draftshelf/domain/imports/stages';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';

/** The payload is the stage that has new chunks. */
export const chunksChannel = 'draftshelf_chunks';

/** Wakes the relay of a stage when this transaction commits. */
export async function notifyChunks(db: Db, stage: Stage): Promise<void> {
  await sql`select pg_notify(${chunksChannel}, ${stage})`.execute(db);
}
