import type { Stage } from '@draftshelf/domain/imports/stages';
import { type BackgroundKind, backgroundCatalog } from '@draftshelf/domain/work/task-catalog';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { chunksChannel } from '../connection/listen.ts';

/** Wakes the relay of a stage when this transaction commits. */
export async function wakeRelay(db: Db, stage: Stage): Promise<void> {
  await sql`select pg_notify(${chunksChannel}, ${stage})`.execute(db);
}

/** Wakes the processes that do tasks of these kinds when this transaction commits. */
export async function wakeTaskRunners(db: Db, kinds: readonly BackgroundKind[]): Promise<void> {
  const places = new Set(kinds.map((kind) => backgroundCatalog[kind].place));
  for (const place of places) await sql`select pg_notify(${chunksChannel}, ${place})`.execute(db);
}
