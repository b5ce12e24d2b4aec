import type { MatchChoice } from '@draftshelf/domain/preferences';
import { ofRun } from '../chunks/runs.ts';
import type { Db } from '../connection/database.ts';
import { readPreferences } from '../preferences.ts';

type PushRun = { import_id: string; run: number };

/** Sets what a push run does with products that the store has under another id. */
export async function setMatchChoice(db: Db, run: PushRun, choice: MatchChoice): Promise<void> {
  await db
    .updateTable('runs')
    .set({ when_in_store: choice })
    .where(ofRun({ ...run, stage: 'push' }))
    .execute();
}

/** What a push run does with such products: as chosen for it, else as the preferences say. */
export async function readMatchChoice(db: Db, run: PushRun): Promise<MatchChoice> {
  const row = await db
    .selectFrom('runs')
    .select('when_in_store')
    .where(ofRun({ ...run, stage: 'push' }))
    .executeTakeFirst();
  return row?.when_in_store ?? (await readPreferences(db)).whenInStore;
}
