import type { Db } from '../connection/database.ts';
import type { ActionResult } from '../imports/action-result.ts';
import { currentRows, readParseRun, readRunOverrides } from '../work/runs.ts';
import { beginReread, type RereadChanges } from './begin-reread.ts';
import { rememberMapping } from './recall-mapping.ts';

/** Begins a re-read with changed fields, and remembers them for files like this one, unless it is a test import. */
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
