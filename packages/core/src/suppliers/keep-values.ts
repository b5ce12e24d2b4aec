import { type CanonicalField, isProductField } from '@draftshelf/domain/base/canonical-fields';
import { supplierSource } from '@draftshelf/domain/enrich/sources';
import { picturesOf } from '@draftshelf/domain/products/images';
import { readRowValues } from '@draftshelf/domain/reading/row-values';
import { leaveOutField } from '@draftshelf/domain/review/edited-field';
import { isCarriedCommand } from '@draftshelf/domain/review/operations/carried-command';
import { toComparableText } from '@draftshelf/domain/suppliers/carry-value';
import { type Kysely, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { ChunkRecord, ImportRecord, Schema } from '../connection/schema.ts';
import { findImport, lockImport } from '../imports/imports.ts';
import { retireRows } from '../review/remove-rows.ts';
import { lockHeldChunk } from '../work/claim-chunk.ts';
import { currentRows, readParseRun } from '../work/runs.ts';
import type { TaskProgress } from '../work/tasks.ts';
import {
  clearSettledValues,
  type KeptDecision,
  type KeptValue,
  lockCarriedValues,
  storeCarriedValues,
  storeDecisions,
  toItemSubject,
  toProductSubject,
} from './carried-values.ts';
import {
  type EditToKeep,
  editIdMax,
  lockImportsToKeep,
  readBaseCommands,
  readDecisionsToKeep,
  readEditsToKeep,
  readItemRows,
} from './edits-to-keep.ts';
import { findOrInsertItems } from './items.ts';
import type { PreparedBatch, StepState } from './prepared-batch.ts';
import { keepRecipes } from './recipes/keep-recipes.ts';
import { readCellsOfRows, type SupplierImport } from './values-to-carry.ts';

/**
 * The step 'keep values': stores other lists' edits as carried values, up to the newest edit at its start. Later edits
 * wait for the next list, because steady editing could delay the step. Each part ends the batch, because it blocks
 * edits of another import.
 */
export async function keepValues({ db, record, progress }: PreparedBatch): Promise<StepState> {
  const { id, supplier } = record;
  if (supplier === null) return {};
  if (await keepNextEditsOfOthers(db, { id, supplier }, progress.carried?.keepTo ?? 0))
    return { at: 0, endsBatch: true };
  await clearSettledValues(db, supplier);
  return {};
}

/** Keeps another list's next edits up to `keepTo`, then its decisions. False if none is left. Locks the values. */
export async function keepNextEditsOfOthers(
  db: Db,
  { id, supplier }: SupplierImport,
  keepTo: number,
): Promise<boolean> {
  await lockCarriedValues(db, [supplier]);
  const other = await lockImportsToKeep(db, supplier, id, keepTo);
  if (other) await keepNextEdits(db, other, keepTo);
  return other !== undefined;
}

/** Keeps the next edits of an import whose rows will be removed. Returns false if none are left. */
export async function keepEditsBeforeRemoval(db: Kysely<Schema>, chunk: ChunkRecord): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const found = await findImport(trx, chunk.import_id);
    if (!found || found.supplier === null) return false;
    await lockCarriedValues(trx, [found.supplier]);
    const record = await lockImport(trx, chunk.import_id);
    await lockHeldChunk(trx, chunk);
    // If the supplier has changed meanwhile, the next call locks the new supplier's values.
    return record?.supplier === found.supplier ? keepNextEdits(trx, record) : true;
  });
}

/** The task 'retire-rows': removes the rows of an import that ended long ago, once its edits are kept. */
export const keepEditsAndRetire = async (db: Kysely<Schema>, chunk: ChunkRecord): Promise<TaskProgress> =>
  (await keepEditsBeforeRemoval(db, chunk)) ? 'more' : retireRows(db, chunk);

/** Keeps an import's next edits, then its decisions. False if none is left. The caller has locked the values. */
export async function keepNextEdits(db: Db, record: ImportRecord, keepTo = editIdMax): Promise<boolean> {
  if (record.supplier === null || record.test_mode) return false;
  if ((await keepEdits(db, record, keepTo)) || (await keepDecisions(db, record))) return true;
  await clearSettledValues(db, record.supplier);
  return false;
}

async function keepEdits(db: Db, record: ImportRecord, keepTo: number): Promise<boolean> {
  const edits = await readEditsToKeep(db, record.id, keepTo);
  const [first] = edits;
  if (!first) return false;
  await sql`update imports set edits_kept_to = ${first.last} where id = ${record.id}`.execute(db);
  const isCarried = await carriedCommands(db, record, edits);
  const done = edits.filter((edit) => isNew(record, edit)).map(baseOf);
  await keepRecipes(db, record, [...new Set(done)]);
  const kept: KeptValue[] = [];
  const itemOfCell = await itemReader(db, record, edits);
  for (const all of Map.groupBy(edits, ({ byte_from, field }) => `${byte_from} ${field}`).values()) {
    const cell = all.filter(isCarried);
    const last = cell.findLast((edit) => isNew(record, edit));
    const item = last && itemOfCell(last);
    if (!item || namesPhoto(last)) continue;
    const { field, edited_at: saidAt } = last;
    const kind = field === leaveOutField ? 'left out' : 'value';
    kept.push({ ...item, field, kind, saidAt, ...saidIn(cell, last) });
  }
  await storeCarriedValues(db, record, kept);
  return true;
}

const nothing = { value: null, source: null, setAt: null };

/**
 * Returns the value that the list itself has for a cell, or nulls if the value was carried into the list. If the list
 * undid a carried value, returns the cell's earlier value, dated with the time when the undone value was set.
 */
function saidIn(
  cell: readonly EditToKeep[],
  last: EditToKeep,
): Pick<KeptValue, 'value' | 'source' | 'setAt'> {
  const said = cell.findLast(isInEffect);
  if (said && said.kind !== 'carried') {
    const { after: value, source, set_at, edited_at } = said;
    const isTheirs = source === supplierSource;
    return { ...(isTheirs ? nothing : { value, source }), setAt: set_at ?? edited_at };
  }
  const carried = cell.flatMap(({ after, set_at }) => (after !== null && set_at ? set_at : []));
  const newest = carried.toSorted((a, b) => +a - +b).at(-1) ?? null;
  if (last.kind === 'carried' || said?.set_at?.getTime() === newest?.getTime()) return nothing;
  return { value: said?.after ?? null, source: said?.source ?? null, setAt: newest };
}

const isNew = ({ edits_kept_to }: ImportRecord, { id, last }: EditToKeep) => id > edits_kept_to && id <= last;

const baseOf = ({ undoes, command }: EditToKeep): string => undoes ?? command;

const isInEffect = ({ kind, state }: EditToKeep) =>
  kind !== 'undo' && kind !== 'redo' && (state === 'applied' || state === 'undoing');

/** Returns whether an edit names an uploaded photo. Such a photo is deleted with its import, so it is not carried. */
const namesPhoto = ({ field, after }: EditToKeep): boolean =>
  (field === 'image' || field === 'moreImages') &&
  picturesOf({ image: after ?? '' }).some(({ kind }) => kind === 'own');

/** Returns a predicate for edits whose values next lists get, except values carried from another supplier. */
async function carriedCommands(db: Db, { id, supplier }: ImportRecord, edits: readonly EditToKeep[]) {
  const bases = await readBaseCommands(db, id, [...new Set(edits.map(baseOf))]);
  const carried = new Set(
    bases
      .filter((base) => isCarriedCommand(base) && (base.carried?.supplier ?? supplier) === supplier)
      .map((base) => base.id),
  );
  return (edit: EditToKeep) => !edit.of_list && carried.has(baseOf(edit));
}

async function keepDecisions(db: Db, record: ImportRecord): Promise<boolean> {
  const decisions = await readDecisionsToKeep(db, record.id);
  const [first] = decisions;
  if (!first) return false;
  await sql`
    update imports set proposals_kept_to = ${first.last}::timestamptz where id = ${record.id}`.execute(db);
  const itemOfCell = await itemReader(db, record, decisions);
  const dismissed: KeptValue[] = [];
  const decided: KeptDecision[] = [];
  for (const decision of decisions) {
    const { field, value, source, state, hash, decided_at: saidAt } = decision;
    const item = itemOfCell(decision);
    if (!item) continue;
    if (source === supplierSource) {
      if (state === 'dismissed') decided.push({ ...item, field, saidOf: item.saidOf ?? '', saidAt });
      continue;
    }
    const dismissal = { kind: 'dismissed' as const, saidOf: null, source, saidAt, setAt: saidAt };
    const dismissedValue = state === 'dismissed' ? value : null;
    dismissed.push({ ...item, ...dismissal, field: `${field}#${hash}`, value: dismissedValue });
  }
  await storeCarriedValues(db, record, dismissed);
  await storeDecisions(db, record.supplier ?? 0, decided);
  return true;
}

type CellToKeep = { row: number; byte_from: number; field: string };
type Item = Pick<KeptValue, 'subject' | 'saidOf'>;

/** Returns a function that finds a cell's subject and the supplier's value. Inserts missing items of full lists. */
async function itemReader(
  db: Db,
  record: ImportRecord,
  cells: readonly CellToKeep[],
): Promise<(cell: CellToKeep) => Item | undefined> {
  const of = currentRows(record);
  const cellsOfRow = Map.groupBy(cells, ({ byte_from }) => byte_from);
  const { mapping, isPartial } = await readParseRun(db, of);
  const edited = [...cellsOfRow.values()].flatMap(([cell]) => cell ?? []);
  const rows = await readItemRows(db, record, of, edited);
  const unnamed = rows.flatMap(({ row, item, key, isUnsure }) =>
    item === null && key !== null && !isUnsure && !isPartial ? { row, key } : [],
  );
  const named = await findOrInsertItems(db, record, unnamed);
  const byNumber = new Map(rows.map((row) => [row.row, row]));
  const items = new Map<string, Item>();
  for await (const { row: number, cells: read } of readCellsOfRows(db, of, [...byNumber.keys()])) {
    const row = byNumber.get(number);
    if (!row) continue;
    const values = read && readRowValues(read, mapping);
    const item = row.item ?? named.get(row.key ?? '') ?? null;
    for (const { byte_from, field } of cellsOfRow.get(row.byte_from) ?? []) {
      const isOfItem = !isProductField(field);
      if (isOfItem && (item === null || row.isUnsure)) continue;
      const subject = isOfItem ? toItemSubject(item ?? 0) : toProductSubject(row.ourId);
      const isSaid = values !== null && field !== leaveOutField;
      const saidOf = isSaid ? toComparableText(values, field as CanonicalField) : null;
      items.set(`${byte_from} ${field}`, { subject, saidOf });
    }
  }
  return ({ byte_from, field }) => items.get(`${byte_from} ${field}`);
}
