import type { RowIssue } from '../issues.ts';
import { isNumberField, readFieldAmount } from './amount.ts';
import type { AppliedOperations, CellChange, UnchangedCell } from './apply-operations.ts';
import type { CommandPreview } from './command-preview.ts';
import { compareFractions, decimalText, dividedBy, fractionOf, minus, times, zero } from './fraction.ts';
import { unchangedRowsMax } from './left-reason.ts';
import type { ClassChange } from './row-classes.ts';

const examplesMax = 20;

export type PreviewCounts = Omit<
  CommandPreview,
  'sentence' | 'rows' | 'products' | 'sample' | 'left' | 'problems' | 'sinceEdit'
> & {
  left: Omit<CommandPreview['left'][number], 'isAll'>[];
  /** New issues, each with the number of rows and the first row. */
  gained: { code: RowIssue; rows: number; row: number }[];
};

/** Returns a counter for a preview. Call `add` for each product in file order, with the classes of its rows. */
export function createPreviewCounter() {
  const changed = { cells: 0, rows: 0, products: 0 };
  const left: UnchangedCell[] = [];
  const gained = new Map<RowIssue, PreviewCounts['gained'][number]>();
  const examples: PreviewCounts['examples'] = [];
  const counts = { unchangedCells: 0, becomesValid: 0, losesValidity: 0, comparesCosts: false };
  let largest: CommandPreview['largest'] = null;
  let belowCost: PreviewCounts['belowCost'] = null;
  return {
    add(applied: AppliedOperations, classes: readonly ClassChange[]): void {
      changed.cells += applied.changes.length;
      changed.rows += new Set(applied.changes.map(({ row }) => row)).size;
      changed.products += applied.changes.length > 0 ? 1 : 0;
      counts.unchangedCells += applied.unchanged;
      left.push(...applied.left);
      const compared = new Set(classes.flatMap(({ row, hasPriceAndCost }) => (hasPriceAndCost ? [row] : [])));
      const below = new Set(classes.flatMap(({ row, fallsBelowCost }) => (fallsBelowCost ? [row] : [])));
      const [firstBelow] = below;
      if (firstBelow !== undefined) {
        belowCost = { rows: (belowCost?.rows ?? 0) + below.size, row: belowCost?.row ?? firstBelow };
        counts.comparesCosts = true;
      }
      for (const change of applied.changes) {
        const isOfAmounts = change.field === 'price' || change.field === 'cost';
        examples.push({ ...change, fallsBelowCost: isOfAmounts && below.has(change.row) });
        if (isOfAmounts && compared.has(change.row)) counts.comparesCosts = true;
        const relative = relativeChange(change);
        if (relative && Math.abs(relative.percent) > Math.abs(largest?.percent ?? 0)) largest = relative;
      }
      for (const { row, before, after, gained: codes } of classes) {
        for (const code of codes.filter((one) => one !== 'cost-above-price')) {
          const counted = gained.get(code);
          if (counted) counted.rows += 1;
          else gained.set(code, { code, rows: 1, row });
        }
        if (before !== 'valid' && after === 'valid') counts.becomesValid += 1;
        if (before === 'valid' && after !== 'valid') counts.losesValidity += 1;
      }
    },
    /** Adds cells left unchanged in rows for which `add` was not called. */
    addLeft: (cells: readonly UnchangedCell[]) => void left.push(...cells),
    counts: (): PreviewCounts => ({
      changed: { ...changed },
      ...counts,
      left: countLeft(left),
      examples: spread(examples),
      belowCost,
      largest,
      gained: [...gained.values()],
    }),
  };
}

/** Groups unchanged cells by reason, with their number and the first rows. */
function countLeft(left: readonly UnchangedCell[]): PreviewCounts['left'] {
  const sorted = left.toSorted((a, b) => a.row - b.row);
  return [...Map.groupBy(sorted, ({ reason }) => reason)].flatMap(([reason, cells]) => {
    const [first, ...next] = [...Map.groupBy(cells, ({ row }) => row).values()].slice(0, unchangedRowsMax);
    if (first?.[0] === undefined) return [];
    const { row, before, refused = null } = first[0];
    const nextRows = next.flatMap(([cell]) => cell?.row ?? []);
    return [{ reason, cells: cells.length, row, before, refused, nextRows }];
  });
}

/** Returns the change of an amount in percent. Null if a weight's unit changes, or if the amount was not above 0. */
function relativeChange({ row, field, before, after }: CellChange): CommandPreview['largest'] {
  if (field === 'leaveOut' || !isNumberField(field) || !before || !after) return null;
  const [old, changed] = [readFieldAmount(field, before), readFieldAmount(field, after)];
  if (old === null || changed === null) return null;
  if (field === 'weight' && old.unit !== changed.unit) return null;
  if (compareFractions(old.value, zero) <= 0) return null;
  const share = dividedBy(minus(changed.value, old.value), old.value);
  const percent = Number(decimalText(times(share, fractionOf('100')), 1));
  return { row, field, before, after, percent };
}

/** Returns at most `examplesMax` items: the first, the last, and others evenly between. */
function spread<Item>(items: readonly Item[]): Item[] {
  if (items.length <= examplesMax) return [...items];
  const gap = (items.length - 1) / (examplesMax - 1);
  return Array.from({ length: examplesMax }, (_, at) => items[Math.round(at * gap)] as Item);
}
