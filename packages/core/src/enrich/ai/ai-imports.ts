import type { DropCause } from '@draftshelf/domain/enrich/ai/answer';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { sql, type UpdateObject } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { findRow } from '../../connection/query-rows.ts';
import type { AiImportRecord, AiServiceRecord, ImportRecord, Schema } from '../../connection/schema.ts';
import { storableJson } from '../../connection/storable-json.ts';

/** Returns undefined if nothing was asked about the import yet. */
export const readAiImport = (db: Db, importId: string) =>
  findRow<AiImportRecord>(db)`select * from ai_imports where import_id = ${importId}`;

export const lockAiImport = (db: Db, importId: string) =>
  findRow<AiImportRecord>(db)`select * from ai_imports where import_id = ${importId} for update`;

/** Stores that an import starts asking AI, or continues with other fields or products. Existing counts stay. */
export async function storeAskingStart(
  db: Db,
  importId: string,
  begun: Pick<AiImportRecord, 'run' | 'target' | 'fields' | 'collect_after' | 'types' | 'vendors'>,
): Promise<void> {
  const [types, vendors] = [storableJson(begun.types), storableJson(begun.vendors)];
  const values = { ...begun, types, vendors, state: 'asking' as const, reason: null };
  await db
    .insertInto('ai_imports')
    .values({ import_id: importId, ...values, refused: storableJson({}) })
    .onConflict((conflict) => conflict.column('import_id').doUpdateSet({ ...values, batch: 5, good: 0 }))
    .execute();
}

/** `collect_after` is the last row whose products were queued for asking, or null if all products were queued. */
export async function changeAiImport(
  db: Db,
  importId: string,
  changes: UpdateObject<Schema, 'ai_imports'>,
): Promise<void> {
  await db.updateTable('ai_imports').set(changes).where('import_id', '=', importId).execute();
}

/** Adds to an import's counts of proposals and of dropped values. Dropped values are counted by cause. */
export async function addAiCounts(
  db: Db,
  importId: string,
  { proposals, causes }: { proposals: number; causes: readonly DropCause[] },
): Promise<void> {
  const record = await lockAiImport(db, importId);
  if (!record) return;
  const sums = { ...record.refused };
  for (const cause of causes) sums[cause] = (sums[cause] ?? 0) + 1;
  await changeAiImport(db, importId, {
    proposals: sql`proposals + ${proposals}`,
    refused: storableJson(sums),
  });
}

/** Ends the asking of an import. `reason` is a sentence, or null if everything was asked. */
export async function endAsking(db: Db, importId: string, reason: string | null): Promise<void> {
  await sql`
    update ai_imports set state = ${reason === null ? 'done' : 'stopped'}, reason = ${reason}, collect_after = null
    where import_id = ${importId} and state = 'asking'`.execute(db);
}

/** `asks`: AI is being asked about the import's current rows. `target`: the service asked, or null before the start. */
type AiSwitches = Pick<AiServiceRecord, 'trouble'> &
  Pick<ImportRecord, 'enable_ai' | 'status'> & { setting: boolean; asks: boolean; target: string | null };

export const readAiSwitches = (db: Db, importId: string) =>
  findRow<AiSwitches>(db)`
    select trouble, enable_ai, status, target,
      coalesce((select (value->>'aiValidation')::boolean from settings), true) as setting,
      coalesce(ai_imports.state = 'asking' and ai_imports.run = rows_run, false) as asks
    from imports cross join ai_service left join ai_imports on import_id = imports.id
    where imports.id = ${importId}`;

export const fileNotReadSentence = 'AI can’t be asked before the file has been read.';

/** Returns a sentence that says why AI can’t be asked about an import now, or null if AI can be asked. */
export function findAskingRefusal({ trouble, enable_ai, setting, status }: AiSwitches): string | null {
  if (!setting) return 'AI Validation & Enhancement was turned off in Settings.';
  if (!enable_ai)
    return 'AI Validation & Enhancement was turned off when this file was uploaded. To ask AI, turn it on and upload the file again.';
  if (trouble !== null) return trouble;
  if (canDo('askAi', status)) return null;
  if (status === 'uploading') return 'AI can’t be asked while products are sent to the store.';
  if (status === 'processing') return fileNotReadSentence;
  return 'AI can’t be asked about an import that is paused or cancelled.';
}
