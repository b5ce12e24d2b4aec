import type { CanonicalField, RowValues } from '@draftshelf/domain/base/canonical-fields';
import { supplierSource } from '@draftshelf/domain/enrich/sources';
import { readRowValues } from '@draftshelf/domain/reading/row-values';
import type { EditedField } from '@draftshelf/domain/review/edited-field';
import { carryValue } from '@draftshelf/domain/suppliers/carry-value';
import {
  changedSinceSentence,
  formatEvidence,
  supplierValueGroup,
} from '@draftshelf/domain/suppliers/supplier-proposal';
import type { Db } from '../connection/database.ts';
import { refreshRows } from '../reading/refresh-products.ts';
import type { NewEdit } from '../review/commands/stored-edits.ts';
import {
  addDismissedProposals,
  addProposals,
  type DismissedProposal,
  type NewProposal,
  removeOfSupplier,
} from '../review/proposals/proposals.ts';
import { type RunOfRows, readParseRun } from '../work/runs.ts';
import { lockCarriedValues } from './carried-values.ts';
import { type PreparedBatch, type StepState, toStepProgress } from './prepared-batch.ts';
import { readFirstOrderTimes, readRecipeSteps } from './recipes.ts';
import {
  hasCarriedValues,
  type LastEdit,
  markCarriedRowsAgain,
  readCellsOfRows,
  readLastEdits,
  readRowsOfCommands,
  readValuesToCarry,
  rowsPerScan,
  type SupplierImport,
  storeCarriedEdits,
  storeSettledValues,
  undoValuesOfOthers,
  type ValueToCarry,
} from './values-to-carry.ts';

/** The step 'carry values': carries the supplier's values into the current rows, and undoes other suppliers' values. */
export async function carryValues({ db, record, of, progress }: PreparedBatch): Promise<StepState> {
  const { at, carried } = progress;
  const { id, supplier, test_mode } = record;
  if (!carried) throw new Error(`The rows of run ${of.run} are not current`);
  const undo = at === 0 ? await undoValuesOfOthers(db, of, supplier) : carried.undo;
  const isCarried = supplier !== null && !test_mode;
  if (isCarried) await lockCarriedValues(db, [supplier]);
  if (isCarried && at === 0) await markCarriedRowsAgain(db, of, supplier);
  const hasNone = !isCarried || !(await hasCarriedValues(db, supplier));
  if (hasNone && undo.length === 0) return {};
  const next = { at, command: carried.command, since: null };
  const { last, command, edited } = hasNone
    ? { last: at + rowsPerScan, command: carried.command, edited: [] }
    : await carryNextRows(db, { id, supplier }, of, next);
  const undone = await readRowsOfCommands(db, of, { commands: undo, at, last });
  await refreshRows(db, record, [...new Set([...edited, ...undone])]);
  return { ...toStepProgress(last, record), carried: { ...carried, undo, command }, endsBatch: true };
}

/**
 * Carries values into the list's rows after `at`: all values if `since` is null, else values kept from other lists
 * after `since`. Adds the edits to `command`, or to a new command if `command` is null. Returns the command, the last
 * row searched and the changed rows. The caller has locked the rows and the supplier's carried values.
 */
export async function carryNextRows(
  db: Db,
  list: SupplierImport,
  of: RunOfRows,
  { at, command, since }: { at: number; command: string | null; since: Date | null },
): Promise<{ last: number; command: string | null; edited: number[]; isChanged: boolean }> {
  const { values, last } = await readValuesToCarry(db, of, list, { at, since });
  const part = await decidePart(db, list, of, values, since !== null);
  const edited = [...new Set(part.edits.map(({ row }) => row))];
  const stored = edited.length === 0 ? command : await storeCarriedEdits(db, list, of, command, part.edits);
  await removeOfSupplier(db, list.id, [...part.agreed, ...part.proposals]);
  await addProposals(db, list.id, part.proposals);
  await addDismissedProposals(db, list.id, part.dismissed);
  await storeSettledValues(db, list.supplier, of, part.settled);
  return { last, command: stored, edited, isChanged: edited.length + part.proposals.length > 0 };
}

/** The changes that carry some values. `agreed`: cells whose open proposals are removed. */
type Part = {
  edits: NewEdit[];
  proposals: NewProposal[];
  dismissed: DismissedProposal[];
  agreed: { byteFrom: number; field: string; value: string }[];
  settled: ValueToCarry[];
};

/** Decides the changes for some values. If `isNewer`, the values replace earlier carried values and recipe results. */
async function decidePart(
  db: Db,
  { id, supplier }: SupplierImport,
  of: RunOfRows,
  values: readonly ValueToCarry[],
  isNewer: boolean,
): Promise<Part> {
  const part: Part = { edits: [], proposals: [], dismissed: [], agreed: [], settled: [] };
  if (values.length === 0) return part;
  const { mapping, currency } = await readParseRun(db, of);
  const firstOrders = await readFirstOrderTimes(db, supplier);
  const offsets = values.map(({ byte_from }) => byte_from);
  const edited = await readLastEdits(db, id, supplier, offsets, !isNewer);
  // Skips taken-back values after recipes were applied: the cell would get the supplier's value without the recipes.
  const isRepeated = values.some(({ value }) => value === null) && (await readRecipeSteps(db, id)).length > 0;
  const decided = isRepeated ? values.filter(({ value }) => value !== null) : values;
  const ofRow = Map.groupBy(decided, ({ row }) => row);
  for await (const { row, cells: read } of readCellsOfRows(db, of, [...ofRow.keys()])) {
    const parsed = readRowValues(read ?? [], mapping);
    for (const one of ofRow.get(row) ?? []) {
      const value = { ...one, isFinal: one.set_at > (firstOrders.get(one.field) ?? one.set_at) };
      const last = edited.get(`${value.byte_from} ${value.field}`);
      const isReplaced = isNewer && last?.isCarried && last.value !== value.value;
      if (isReplaced) replace(part, value, { parsed, currency }, last.value);
      else decide(part, value, { parsed, currency }, carriedInto(last));
    }
  }
  return part;
}

/** Returns a cell's carried value: undefined if no edit is in effect, null if the cell's last edit is not carried. */
function carriedInto(last: LastEdit | undefined): string | null | undefined {
  if (last?.isCarried) return last.value ?? undefined;
  return last === undefined ? undefined : null;
}

/** Replaces a carried value by a newer one, or removes it if the newer one was undone or is the supplier's value. */
function replace(part: Part, carried: DecidedValue, file: FileOfRow, before: string | null): void {
  part.agreed.push({ byteFrom: carried.byte_from, field: carried.field, value: '' });
  const edits = part.edits.length;
  decide(part, carried, file, undefined);
  if (part.edits.length === edits) part.edits.push(editOf(carried, { before, after: null, source: null }));
}

const editOf = (
  { row, byte_from: byteFrom, field, set_at }: ValueToCarry,
  change: Pick<NewEdit, 'before' | 'after' | 'source'>,
): NewEdit => ({
  ...{ row, byteFrom, field: field as EditedField, ...change },
  setAt: set_at.toISOString(),
});

type DecidedValue = ValueToCarry & { isFinal: boolean };

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
  if (edited === undefined) {
    if (result === 'settled') part.settled.push(carried);
    else part.edits.push(editOf(carried, { before, after: value, source }));
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
  reason: changedSinceSentence,
  evidence: formatEvidence(field, said_of, currency),
  groupKey: supplierValueGroup,
});
