import type { CanonicalField, RowValues } from '@draftshelf/domain/base/canonical-fields';
import { supplierSource } from '@draftshelf/domain/enrich/sources';
import { readRowValues } from '@draftshelf/domain/reading/row-values';
import type { EditedField } from '@draftshelf/domain/review/edited-field';
import { carryValue } from '@draftshelf/domain/suppliers/carry-value';
import { changedSince, evidenceOf, theirValue } from '@draftshelf/domain/suppliers/supplier-proposal';
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
import { readParseRun } from '../work/runs.ts';
import { lockCarriedValues } from './carried-values.ts';
import { countInRun, hasSingleRows, type PreparedBatch } from './prepared-batch.ts';
import {
  countCarried,
  hasValues,
  insertCarried,
  markCarried,
  markCarriedBefore,
  readCells,
  readEditedCells,
  readValuesToCarry,
  removeSettled,
  storeSettled,
  undoCarriedOfOthers,
  type ValueToCarry,
} from './values-to-carry.ts';

/**
 * Carries what was kept into the rows, as edits of one command, and validates them. If the import has other edits,
 * 'apply edits' does that. Returns whether the step has ended.
 */
export async function carryValues(batch: PreparedBatch): Promise<boolean> {
  const { db, record, of, progress } = batch;
  const supplier = progress.supplier.id;
  if (progress.at === 0) progress.carried.undo ??= await undoCarriedOfOthers(db, of, supplier);
  if (supplier === null || record.test_mode) return true;
  const reading = { supplier, importId: record.id, isAgain: record.rows_run !== of.run };
  await lockCarriedValues(db, [supplier]);
  if (progress.at === 0) {
    await markCarriedBefore(db, of, supplier);
    if (!(await hasValues(db, supplier))) return true;
    await removeSettled(db, reading);
    progress.carried.proposalsAfter ??= await lastProposal(db);
  }
  const before = await lastEdit(db, record.id);
  if (progress.at === 0) progress.carriedTo = 0;
  if (progress.carriedTo !== before) progress.carriedTo = null;
  const { values, last } = await readValuesToCarry(db, of, supplier, progress.at);
  const part = await decidePart(batch, supplier, values);
  if (part.edits.length > 0) {
    const command = progress.carried.command ?? (await insertCarried(db, record.id, supplier));
    progress.carried.command = command;
    await insertEdits(db, record.id, command, part.edits);
    const rows = [...new Set(part.edits.map(({ row }) => row))];
    await countCarried(db, record.id, command, { rows: rows.length, edits: part.edits.length });
    await markCarried(db, of, rows);
    if (progress.carriedTo !== null) await validateCarried(batch, new Set(rows), values);
  }
  await replaceCells(db, of, [...part.agreed, ...part.proposals]);
  await addProposals(db, record.id, part.proposals);
  await addDismissed(db, record.id, part.dismissed);
  await storeSettled(db, reading, part.settled);
  progress.at = last;
  return last >= record.total_rows;
}

/** Validates the rows of a part, whose edits are the import's last. */
async function validateCarried(
  batch: PreparedBatch,
  rows: ReadonlySet<number>,
  values: readonly ValueToCarry[],
): Promise<void> {
  const { db, record, of, progress } = batch;
  const products = new Map(values.map(({ row, product }) => [row, product]));
  let edited = [...products].filter(([row]) => rows.has(row)).map(([row, product]) => ({ row, product }));
  while (edited.length > 0) {
    const { doneTo, ...counts } = await validateEditedRows(db, of, edited, hasSingleRows(record));
    await countInRun(batch, counts);
    edited = doneTo === null ? [] : edited.filter(({ row }) => row > doneTo);
  }
  progress.editsTo = await lastEdit(db, record.id);
  progress.carriedTo = progress.editsTo;
}

/** `agreed`: cells of an earlier reading of the file in which there is nothing to decide any more. */
type Part = {
  edits: NewEdit[];
  proposals: NewProposal[];
  dismissed: DismissedProposal[];
  agreed: { byteFrom: number; field: string; value: string }[];
  settled: ValueToCarry[];
};

async function decidePart(
  { db, record, of, progress }: PreparedBatch,
  supplier: number,
  values: readonly ValueToCarry[],
): Promise<Part> {
  const part: Part = { edits: [], proposals: [], dismissed: [], agreed: [], settled: [] };
  if (values.length === 0) return part;
  const { mapping, currency } = await readParseRun(db, of);
  const offsets = values.map(({ byte_from }) => byte_from);
  const edited =
    progress.carriedTo === null ? await readEditedCells(db, record.id, supplier, offsets) : noCells;
  const ofRow = Map.groupBy(values, ({ row }) => row);
  for await (const { row, cells } of readCells(db, of, [...ofRow.keys()])) {
    const parsed = readRowValues(cells ?? [], mapping);
    for (const value of ofRow.get(row) ?? []) {
      decide(part, value, { parsed, currency }, edited.get(`${value.byte_from} ${value.field}`));
    }
  }
  return part;
}

const noCells: ReadonlyMap<string, string | null> = new Map();

/** `edited`: the value that was carried into the cell when the file was read before; null: it has another edit. */
function decide(
  part: Part,
  carried: ValueToCarry,
  { parsed, currency }: { parsed: RowValues; currency: string | null },
  edited: string | null | undefined,
): void {
  const { row, byte_from: byteFrom, value, source } = carried;
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
  const result = carryValue({ field, value, saidOf: carried.said_of }, parsed);
  const before = field === 'leaveOut' ? null : (parsed[field] ?? null);
  if (edited === undefined && result === 'settled') part.settled.push(carried);
  if (edited === undefined && result !== 'settled') {
    part.edits.push({ row, byteFrom, field, before, after: value, source });
  }
  if (field === 'leaveOut' || (edited !== undefined && edited !== value)) return;
  if (result === 'decide') part.proposals.push(proposalOf(carried, before ?? '', currency));
  else if (edited !== undefined) part.agreed.push({ byteFrom, field, value: '' });
}

const proposalOf = (
  { row, byte_from, field, value, said_of }: ValueToCarry,
  theirs: string,
  currency: string | null,
): NewProposal => ({
  ...{ row, byteFrom: byte_from, field: field as CanonicalField, before: value, value: theirs },
  source: supplierSource,
  reason: changedSince,
  evidence: evidenceOf(field, said_of, currency),
  groupKey: theirValue,
});
