import type { CanonicalField, RowValues } from '@draftshelf/domain/base/canonical-fields';
import { supplierSource } from '@draftshelf/domain/enrich/sources';
import { readRowValues } from '@draftshelf/domain/reading/row-values';
import type { EditedField } from '@draftshelf/domain/review/edited-field';
import { carryValue } from '@draftshelf/domain/suppliers/carry-value';
import { changedSince, evidenceOf, theirValue } from '@draftshelf/domain/suppliers/supplier-proposal';
import type { Db } from '../connection/database.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { validateEditedRows } from '../reading/apply-edits.ts';
import { insertEdits, lastEdit, type NewEdit } from '../review/commands/stored-edits.ts';
import {
  addDismissed,
  addProposals,
  type DismissedProposal,
  lastProposal,
  type NewProposal,
  replaceCells,
} from '../review/proposals/proposals.ts';
import { moveRunCounts } from '../review/row-facets.ts';
import { type RunOfRows, readParseRun } from '../work/runs.ts';
import { lockCarriedValues } from './carried-values.ts';
import { doneUpTo, hasSingleRows, type PreparedBatch, type StepPart } from './prepared-batch.ts';
import { readFirstOrders } from './recipes.ts';
import {
  countCarried,
  hasValues,
  insertCarried,
  type LastEdit,
  markCarried,
  markCarriedBefore,
  readCells,
  readEditedCells,
  readValuesToCarry,
  removeSettled,
  storeCarriedAt,
  storeSettled,
  undoCarriedOfOthers,
  type ValueToCarry,
} from './values-to-carry.ts';

/** Carries kept values into the rows, as edits of one command, and validates them unless 'apply edits' will. */
export async function carryValues(batch: PreparedBatch): Promise<StepPart> {
  const { db, record, of, progress } = batch;
  const supplier = progress.supplier.id;
  const isFirst = progress.at === 0;
  const carried = { ...progress.carried };
  if (isFirst) carried.undo ??= await undoCarriedOfOthers(db, of, supplier);
  if (supplier === null || record.test_mode) return { carried };
  await lockCarriedValues(db, [supplier]);
  if (isFirst) {
    const isAgain = record.rows_run !== of.run && record.supplier === supplier;
    await storeCarriedAt(db, of, isAgain ? record.rows_run : null);
    await markCarriedBefore(db, of, supplier);
    if (!(await hasValues(db, supplier))) return { carried };
    await removeSettled(db, supplier, of);
    carried.proposalsAfter ??= await lastProposal(db);
  }
  const hasOthers = (await lastEdit(db, record.id)) !== (isFirst ? 0 : progress.carriedTo);
  const { values, last } = await readValuesToCarry(db, of, supplier, progress.at);
  const edited = hasOthers ? 'before' : 'never';
  const part = await decidePart(db, record, of, { supplier, values, edited });
  const stored = await storePart(db, record, of, { supplier, part, command: carried.command });
  carried.command = stored.command;
  const isRunChanged = !hasOthers && (await validateCarried(batch, new Set(stored.rows), values));
  const carriedTo = hasOthers ? null : await lastEdit(db, record.id);
  const editsTo = carriedTo ?? progress.editsTo;
  return { ...doneUpTo(last, record), carried, carriedTo, editsTo, isRunChanged };
}

/** Stores a part, with its edits under `command` or a new command if null. Returns that and the edited rows. */
export async function storePart(
  db: Db,
  record: ImportRecord,
  of: RunOfRows,
  { supplier, part, command }: { supplier: number; part: Part; command: string | null },
): Promise<{ command: string | null; rows: number[] }> {
  const rows = [...new Set(part.edits.map(({ row }) => row))];
  const stored = rows.length === 0 ? command : (command ?? (await insertCarried(db, record.id, supplier)));
  if (stored !== null && rows.length > 0) {
    await insertEdits(db, record.id, stored, part.edits);
    await countCarried(db, record.id, stored, { rows: rows.length, edits: part.edits.length });
    await markCarried(db, of, rows);
  }
  await replaceCells(db, of, [...part.agreed, ...part.proposals]);
  await addProposals(db, record.id, part.proposals);
  await addDismissed(db, record.id, part.dismissed);
  await storeSettled(db, supplier, of, part.settled);
  return { command: stored, rows };
}

async function validateCarried(
  { db, record, of }: PreparedBatch,
  rows: ReadonlySet<number>,
  values: readonly ValueToCarry[],
): Promise<boolean> {
  let isRunChanged = false;
  const products = new Map(values.map(({ row, product }) => [row, product]));
  let edited = [...products].filter(([row]) => rows.has(row)).map(([row, product]) => ({ row, product }));
  while (edited.length > 0) {
    const { doneTo, ...counts } = await validateEditedRows(db, of, edited, hasSingleRows(record));
    if (await moveRunCounts(db, of, counts)) isRunChanged = true;
    edited = doneTo === null ? [] : edited.filter(({ row }) => row > doneTo);
  }
  return isRunChanged;
}

/** `agreed`: cells whose open proposals no longer hold. */
type Part = {
  edits: NewEdit[];
  proposals: NewProposal[];
  dismissed: DismissedProposal[];
  agreed: { byteFrom: number; field: string; value: string }[];
  settled: ValueToCarry[];
};

/**
 * `edited`: other edits of the cells: never; before (in an earlier reading, so they hold); newer values than carried.
 */
export async function decidePart(
  db: Db,
  record: ImportRecord,
  of: RunOfRows,
  {
    supplier,
    values,
    edited,
  }: { supplier: number; values: readonly ValueToCarry[]; edited: 'never' | 'before' | 'newer' },
): Promise<Part> {
  const part: Part = { edits: [], proposals: [], dismissed: [], agreed: [], settled: [] };
  if (values.length === 0) return part;
  const { mapping, currency } = await readParseRun(db, of);
  const firstOrders = await readFirstOrders(db, supplier);
  const offsets = values.map(({ byte_from }) => byte_from);
  const isNewer = edited === 'newer';
  const cells =
    edited === 'never' ? noCells : await readEditedCells(db, record.id, supplier, offsets, !isNewer);
  const ofRow = Map.groupBy(values, ({ row }) => row);
  for await (const { row, cells: read } of readCells(db, of, [...ofRow.keys()])) {
    const parsed = readRowValues(read ?? [], mapping);
    for (const one of ofRow.get(row) ?? []) {
      const value = { ...one, isFinal: one.set_at > (firstOrders.get(one.field) ?? one.set_at) };
      const last = cells.get(`${value.byte_from} ${value.field}`);
      const isReplaced = isNewer && last?.isCarried && last.value !== value.value;
      if (isReplaced) replace(part, value, { parsed, currency }, last.value);
      else decide(part, value, { parsed, currency }, carriedInto(last));
    }
  }
  return part;
}

/** Undefined: nothing is carried into the cell; null: it has another edit. */
function carriedInto(last: LastEdit | undefined): string | null | undefined {
  if (last?.isCarried) return last.value ?? undefined;
  return last === undefined ? undefined : null;
}

/** Replaces a carried value by a newer one; by none if that was taken back or equals the supplier's. */
function replace(part: Part, carried: DecidedValue, file: FileOfRow, before: string | null): void {
  const { row, byte_from: byteFrom, set_at } = carried;
  const field = carried.field as EditedField;
  part.agreed.push({ byteFrom, field, value: '' });
  const edits = part.edits.length;
  decide(part, carried, file, undefined);
  if (part.edits.length === edits) {
    part.edits.push({ row, byteFrom, field, before, after: null, source: null, setAt: set_at.toISOString() });
  }
}

type DecidedValue = ValueToCarry & { isFinal: boolean };

const noCells: ReadonlyMap<string, LastEdit> = new Map();

type FileOfRow = { parsed: RowValues; currency: string | null };

function decide(
  part: Part,
  carried: DecidedValue,
  { parsed, currency }: FileOfRow,
  edited: string | null | undefined,
): void {
  const { row, byte_from: byteFrom, value, source } = carried;
  if (value === null) return;
  if (carried.kind === 'dismissed') {
    const [field] = carried.field.split('#') as [CanonicalField];
    const before = parsed[field] ?? null;
    part.dismissed.push({
      ...{ row, byteFrom, field, before, value, source: source ?? '', reason: 'You dismissed it before.' },
      decidedAt: carried.said_at.toISOString(),
    });
    return;
  }
  const field = carried.field as EditedField;
  const result = carryValue({ field, value, saidOf: carried.said_of, isFinal: carried.isFinal }, parsed);
  const before = field === 'leaveOut' ? null : (parsed[field] ?? null);
  if (edited === undefined && result === 'settled') part.settled.push(carried);
  if (edited === undefined && result !== 'settled') {
    part.edits.push({
      row,
      byteFrom,
      field,
      before,
      after: value,
      source,
      setAt: carried.set_at.toISOString(),
    });
  }
  if (field === 'leaveOut' || (edited !== undefined && edited !== value)) return;
  if (result === 'decide') part.proposals.push(proposalOf({ ...carried, value }, before ?? '', currency));
  else if (edited !== undefined) part.agreed.push({ byteFrom, field, value: '' });
}

const proposalOf = (
  { row, byte_from, field, value, said_of }: ValueToCarry & { value: string },
  theirs: string,
  currency: string | null,
): NewProposal => ({
  ...{ row, byteFrom: byte_from, field: field as CanonicalField, before: value, value: theirs },
  source: supplierSource,
  reason: changedSince,
  evidence: evidenceOf(field, said_of, currency),
  groupKey: theirValue,
});
