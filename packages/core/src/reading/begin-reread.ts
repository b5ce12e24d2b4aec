import { type DialectOverrides, type ScannedTable, withOverrides } from '@draftshelf/csv/dialect';
import { canDo, hasPushedNothing } from '@draftshelf/domain/imports/import-status';
import { heldSentences } from '@draftshelf/domain/push/auto-push';
import { mergeAnswers } from '@draftshelf/domain/reading/column-questions';
import type { MappingOverrides } from '@draftshelf/domain/reading/mapping/header-mapping';
import type { Db } from '../connection/database.ts';
import { type ActionResult, refuseInStatus, wrongStatusRefusal } from '../imports/action-result.ts';
import { createHoldColumns, lockImport, moveLockedImport } from '../imports/imports.ts';
import { readLastEditId } from '../review/commands/stored-edits.ts';
import { findBlockingReason } from '../work/blocking.ts';
import { enqueueSplit } from '../work/chunks.ts';
import {
  type ChosenSupplier,
  currentRows,
  insertUnsplitRun,
  type RunOverrides,
  readChosenSupplier,
  readLastParseRun,
  readParseRun,
  readRunOverrides,
} from '../work/runs.ts';
import { rememberMapping } from './mappings.ts';

/** `mapping`: changes by column; if undefined, the field is detected again. Without `chosen`, the supplier stays. */
export type RereadChanges = {
  dialect?: DialectOverrides;
  table?: ScannedTable | undefined;
  mapping?: Readonly<Record<string, MappingOverrides[string] | undefined>>;
  currency?: string | null;
  chosen?: ChosenSupplier;
};

/** Begins the next parse run over the stored file. Edits stay. Rows stay until finalize ends (reread-rollback.ts). */
export async function beginReread(db: Db, id: string, changes: RereadChanges): Promise<ActionResult> {
  const record = await lockImport(db, id);
  if (!record || !canDo('reread', record.status)) return refuseInStatus(record);
  const reason = await findBlockingReason(db, record, 'reread');
  if (reason !== undefined) return { ok: false, reason };
  const { total_products: total, skipped, failed } = record;
  const hasFailedPush = record.status === 'failed' && record.failed_in === 'push';
  if (hasFailedPush && !hasPushedNothing({ total, skipped, failed })) return wrongStatusRefusal;
  const run = { import_id: id, run: (await readLastParseRun(db, id)) + 1 };
  const current = await readRunOverrides(db, currentRows(record));
  const { dialect, mappingOverrides } = mergeOverrides(current, changes);
  const { currency = null, chosen = await readChosenSupplier(db, currentRows(record)) } = changes;
  const overrides = { dialect, mappingOverrides, currency, chosen };
  await insertUnsplitRun(db, record, run.run, { ...overrides, lastEdit: await readLastEditId(db, id) });
  const moved = await moveLockedImport(db, record, {
    to: 'processing',
    event: 'reread begun',
    set: { parse_run: run.run, ...createHoldColumns(heldSentences.reread) },
  });
  await enqueueSplit(db, run);
  return { ok: true, import: moved };
}

export const mergeOverrides = (current: RunOverrides, changes: RereadChanges): RunOverrides => ({
  dialect: withOverrides(current.dialect, changes.dialect ?? {}, changes.table),
  mappingOverrides: changedFields(current.mappingOverrides, changes.mapping ?? {}),
});

function changedFields(
  current: MappingOverrides,
  changes: NonNullable<RereadChanges['mapping']>,
): MappingOverrides {
  const merged = new Map(Object.entries(current));
  for (const [name, change] of Object.entries(changes)) {
    // The field of a column and the reading of its cells are set separately.
    const { field } = { ...merged.get(name), ...change };
    const reading = mergeAnswers(merged.get(name)?.reading, change?.reading);
    if (change === undefined && reading === undefined) merged.delete(name);
    else {
      const by = change ?? { by: 'operator' as const };
      const isDetected = change === undefined || field === undefined;
      merged.set(name, { ...by, ...(!isDetected && { field }), ...(reading !== undefined && { reading }) });
    }
  }
  return Object.fromEntries(merged);
}

/** Begins a re-read with changed fields. Unless it is a test import, remembers the fields for similar files. */
export async function changeMapping(
  db: Db,
  id: string,
  changes: Pick<RereadChanges, 'mapping' | 'currency'>,
): Promise<ActionResult> {
  const begun = await beginReread(db, id, changes);
  if (!begun.ok || begun.import.test_mode) return begun;
  const { filename, parse_run } = begun.import;
  const { headers } = await readParseRun(db, currentRows(begun.import));
  const { mappingOverrides } = await readRunOverrides(db, { import_id: id, run: parse_run });
  await rememberMapping(db, { headers, overrides: mappingOverrides, filename });
  return begun;
}
