import type { Db } from '../../connection/database.ts';
import type { CorrectionsRecord, EditCommandRecord } from '../../connection/schema.ts';
import { findImport } from '../../imports/imports.ts';
import { type ChangeRefusal, findRefusal, notEditableRefusal } from '../change-refused.ts';
import { type BeginCommandResult, enqueueCommand } from '../commands/begin-command.ts';
import { insertCommandToApply } from '../commands/edit-commands.ts';
import { lockRows } from '../rows-lock.ts';
import { findCorrections, markCorrectionsApplied, readCommandCorrections } from './corrections.ts';

/** Applies a compared file by a task, but not to cells edited after the upload. The caller rolls back on a refusal. */
export async function applyCorrections(
  db: Db,
  importId: string,
  id: string,
  author: string | undefined,
): Promise<BeginCommandResult | ChangeRefusal> {
  await lockRows(db, importId);
  const corrections = await findCorrections(db, importId, id);
  if (!corrections) return { ok: false, reason: 'no such command' };
  if (corrections.state === 'comparing') return { ok: false, reason: 'not compared' };
  if (corrections.state !== 'compared') return { ok: false, reason: 'applied already' };
  return begin(db, corrections, { sinceEdit: corrections.since_edit, author });
}

/** Applies the corrections of a stopped command again, by a new command. */
export const applyCorrectionsAgain = async (
  db: Db,
  base: EditCommandRecord,
  given: Given,
): Promise<BeginCommandResult | ChangeRefusal> => begin(db, await readCommandCorrections(db, base), given);

type Given = { sinceEdit: number | null; author: string | undefined };

async function begin(
  db: Db,
  corrections: CorrectionsRecord,
  { sinceEdit, author }: Given,
): Promise<BeginCommandResult | ChangeRefusal> {
  const { import_id: importId, run } = corrections;
  if (corrections.object_key === null) return { ok: false, reason: 'not kept' };
  const record = await findImport(db, importId);
  if (!record) return notEditableRefusal;
  const refused = await findRefusal(db, record, 'bulkEdit');
  if (refused) return refused;
  if (run !== record.rows_run) return { ok: false, reason: 'read again' };
  if (corrections.counts.rows === 0) return { ok: false, reason: 'no rows' };
  const given = { kind: 'corrections', sinceEdit, author } as const;
  const command = await insertCommandToApply(db, importId, given, 'search');
  await markCorrectionsApplied(db, corrections, command.id);
  return enqueueCommand(db, record, command, null);
}
