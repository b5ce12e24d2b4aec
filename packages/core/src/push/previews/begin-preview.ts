import type { Db } from '../../connection/database.ts';
import type { ImportRecord, PreviewKind } from '../../connection/schema.ts';
import type { ActionResult } from '../../imports/action-result.ts';
import { changeImport } from '../../imports/imports.ts';
import { currentRows } from '../../work/runs.ts';
import { dropTasks, enqueueTask, unendedStates } from '../../work/tasks.ts';
import { insertPreview, type NewPreview } from './previews.ts';

/** Begins to make a preview of a locked import, replacing its earlier one of this kind, even one in progress. */
export async function beginPreview(
  db: Db,
  record: ImportRecord,
  preview: Omit<NewPreview, 'import_id'>,
  products: number | null = null,
): Promise<ActionResult> {
  const { id } = record;
  await stopPreview(db, id, preview.kind);
  await insertPreview(db, { import_id: id, ...preview });
  await enqueueTask(db, currentRows(record), `plan-${preview.kind}`, products);
  const changed = await changeImport(db, id, {});
  return { ok: true, import: changed ?? record };
}

/** Ends the preview being made, because its input changes or another one begins. The import is locked. */
export async function stopPreview(db: Db, id: string, kind: PreviewKind): Promise<void> {
  await dropTasks(db, id, [`plan-${kind}`], unendedStates);
}
