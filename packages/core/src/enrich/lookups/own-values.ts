import type { CanonicalField } from '@draftshelf/domain/base/canonical-fields';
import type { Db } from '../../connection/database.ts';
import { readTakenFromAi, type TakenFromAi } from '../../review/commands/stored-edits.ts';
import type { EffectiveRow } from '../../review/effective-rows.ts';

/**
 * Returns a function that leaves out of a row what was taken from AI and not changed since: such a text is not the
 * operator's own knowledge. The value before it is shown as a found one, which is not learned either, so that a title
 * or brand can still be compared.
 */
export async function readOwnValues(
  db: Db,
  importId: string,
  rows: readonly EffectiveRow[],
): Promise<(row: EffectiveRow) => EffectiveRow> {
  const edited = rows.filter(({ sources }) => Object.values(sources).includes('edit'));
  if (edited.length === 0) return (row) => row;
  const offsets = edited.map(({ byte_from }) => byte_from);
  const taken = Map.groupBy(await readTakenFromAi(db, importId, offsets), ({ byte_from }) => byte_from);
  return (row) => withoutAi(row, taken.get(row.byte_from) ?? []);
}

function withoutAi(row: EffectiveRow, taken: readonly TakenFromAi[]): EffectiveRow {
  if (taken.length === 0) return row;
  const [values, sources] = [{ ...row.values }, { ...row.sources }];
  // A text that replaced another one of AI: the newest is last.
  for (const { field, value, before } of taken.toReversed() as (TakenFromAi & { field: CanonicalField })[]) {
    if (row.sources[field] !== 'edit' || values[field] !== value) continue;
    if (before === null) delete values[field];
    else values[field] = before;
    sources[field] = 'found';
  }
  return { ...row, values, sources };
}
