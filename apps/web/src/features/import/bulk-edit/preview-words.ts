import type { EditPreview } from '@draftshelf/contract/review/commands';
import type { ValueField } from '@draftshelf/domain/base/field-value';
import { type Operation, subjectOf } from '@draftshelf/domain/review/operations/operation';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { fieldLabel } from '../mapping/mapping-words.ts';

/** Returns the changed field. Null if several fields are changed or if rows are left out. */
function onlyField(operations: readonly Operation[]): ValueField | null {
  const [field, ...others] = new Set(operations.map(subjectOf));
  return field === undefined || field === 'leaveOut' || others.length > 0 ? null : field;
}

/** Example: 'Clear 8,112 Prices', or 'Change Prices in 12,004 Rows' if the preview does not cover all rows. */
export function applyButtonLabel(
  preview: Pick<EditPreview, 'sample' | 'changed'> | null,
  operations: readonly Operation[],
  rows: number | null,
): string {
  const [first] = operations;
  const isOne = operations.length === 1 && first !== undefined;
  const isExact = preview?.sample.isAll === true;
  if (isOne && first.kind === 'leave-out') {
    const count = isExact ? preview.changed.rows : rows;
    const words = count === null ? 'Rows Found' : countOf(count, 'Row');
    return `${first.leaveOut ? 'Leave Out' : 'Put Back'} ${words}`;
  }
  const verb = isOne && first.kind === 'clear' ? 'Clear' : 'Change';
  const field = operations.length === 0 ? null : onlyField(operations);
  if (isExact) {
    const { cells } = preview.changed;
    if (operations.length > 0 && field === null) return `${verb} ${countOf(preview.changed.rows, 'Row')}`;
    return `${verb} ${countOf(cells, ...nounsOf(field))}`;
  }
  const where = rows === null ? 'Rows Found' : countOf(rows, 'Row');
  return field === null ? `${verb} ${where}` : `${verb} ${nounsOf(field)[1]} in ${where}`;
}

/** Nouns of a field's values. A field that is not listed has 'Value' and 'Values'. */
const nouns: Partial<Record<ValueField, readonly [one: string, many: string]>> = {
  title: ['Title', 'Titles'],
  price: ['Price', 'Prices'],
  compareAtPrice: ['Compare-at Price', 'Compare-at Prices'],
  cost: ['Cost', 'Costs'],
  vendor: ['Brand', 'Brands'],
  type: ['Type', 'Types'],
  sku: ['SKU', 'SKUs'],
  upc: ['UPC', 'UPCs'],
  quantity: ['Quantity', 'Quantities'],
  weight: ['Weight', 'Weights'],
  description: ['Description', 'Descriptions'],
  status: ['Status', 'Statuses'],
};

const nounsOf = (field: ValueField | null): readonly [string, string] =>
  (field === null ? undefined : nouns[field]) ?? ['Value', 'Values'];

/** Returns the rows that a preview covers. Example: 'all 1,180 rows'. */
export function coveredRowsWords({ sample, rows }: Pick<EditPreview, 'sample' | 'rows'>): string {
  if (sample.isAll) return sample.rows === 1 ? 'the only row' : `all ${countOf(sample.rows, 'row')}`;
  const upTo = sample.upTo === null ? '' : `, up to row ${formatCount(sample.upTo)}`;
  return `a sample of ${formatCount(sample.rows)} of ${formatCount(rows)} rows${upTo}`;
}

type Sampled = Pick<EditPreview, 'sample'>;

export const formatSampleSuffix = ({ sample }: Sampled): string => (sample.isAll ? '' : ' of the sample');

/** Example: '1,204 cells in 1,180 rows'. */
export function changedCellsWords({ changed, sample }: Pick<EditPreview, 'changed' | 'sample'>): string {
  const of = formatSampleSuffix({ sample });
  if (changed.cells === 0) return `Nothing${of}`;
  return `${countOf(changed.cells, 'cell')} in ${countOf(changed.rows, 'row')}${of}`;
}

/** Example: '40 rows become valid; 3 rows become invalid'. */
export function validityWords({
  becomesValid,
  losesValidity,
  sample,
}: Pick<EditPreview, 'becomesValid' | 'losesValidity' | 'sample'>): string {
  const of = formatSampleSuffix({ sample });
  const part = (rows: number, how: string) =>
    rows > 0 ? [countOf(rows, `row${of} becomes ${how}`, `rows${of} become ${how}`)] : [];
  const parts = [...part(becomesValid, 'valid'), ...part(losesValidity, 'invalid')];
  return parts.length === 0 ? `No row${of} becomes valid or invalid` : parts.join('; ');
}

/** Example: 'Row 5: UPC is invalid.' or '3 rows, the first is row 5: …'. */
export const problemWords = ({ text, ...where }: EditPreview['problems'][number], sampled: Sampled): string =>
  `${rowsWords(where, sampled)}: ${text}`;

/** Example: '3 rows, the first is row 5'. */
export const belowCostWords = ({
  belowCost,
  ...sampled
}: Pick<EditPreview, 'belowCost' | 'sample'>): string =>
  belowCost === null ? `None${formatSampleSuffix(sampled)}` : rowsWords(belowCost, sampled);

function rowsWords({ rows, row }: { rows: number; row: number }, sampled: Sampled): string {
  const number = formatCount(row);
  if (rows === 1) return `Row ${number}${formatSampleSuffix(sampled)}`;
  return `${formatCount(rows)} rows${formatSampleSuffix(sampled)}, the first is row ${number}`;
}

const largePercent = 50;

export const isLargeChange = ({ percent }: { percent: number }): boolean => Math.abs(percent) > largePercent;

const percentFormat = new Intl.NumberFormat(undefined, {
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

/** Example: '+80%'. */
export const formatSignedPercent = ({ percent }: { percent: number }): string =>
  `${percentFormat.format(percent)}%`;

export const changedFieldLabel = (field: string): string =>
  field === 'leaveOut' ? 'Push' : fieldLabel(field);

export function formatPreviewValue(field: string, value: string | null): string | null {
  if (field === 'leaveOut') return value === 'yes' ? 'Left out' : 'In the push';
  return value === '' ? null : value;
}
