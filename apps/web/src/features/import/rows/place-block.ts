import { headName, type InlineField } from '@draftshelf/domain/base/field-look';
import type { Operation } from '@draftshelf/domain/review/operations/operation';
import { countOf, formatCount } from '../../../lib/intl.ts';
import type { Block } from './block-text.ts';

/** Marked cells: row numbers, and fields in the order of the columns. */
export type CellRange = { rows: readonly number[]; fields: readonly InlineField[] };

/** '3 rows × 2 columns'. */
export const sizeWords = (rows: number, columns: number): string =>
  `${countOf(rows, 'row')} × ${countOf(columns, 'column')}`;

/** Repeats a block that fits a range a whole number of times, as one cell does; else it is pasted once. */
export function tiled(block: Block, { rows, fields }: CellRange): Block {
  const [height, width] = [block.length, block[0]?.length ?? 1];
  if (rows.length % height !== 0 || fields.length % width !== 0) return block;
  return rows.map((_, row) => fields.map((_, column) => block[row % height]?.[column % width] ?? ''));
}

/** Returns the fields from the first one on, or a sentence if they are too few. */
export function fieldsFor(
  block: Block,
  first: InlineField,
  shown: readonly InlineField[],
): readonly InlineField[] | string {
  const width = block[0]?.length ?? 0;
  const fields = shown.slice(shown.indexOf(first));
  if (width <= fields.length) return fields.slice(0, width);
  const has = `The block has ${countOf(width, 'column')}`;
  return `${has}, and the table has ${formatCount(fields.length)} from ${headName(first)} on. Nothing was pasted.`;
}

export const tooFewRows = (block: Block, found: number): string =>
  `The block has ${countOf(block.length, 'row')}, and there are ${formatCount(found)} from this one on. Nothing was pasted.`;

export function pasting(block: Block, fields: readonly InlineField[], rows: readonly number[]): Operation[] {
  return fields.map((field, column) => ({
    kind: 'paste',
    field,
    cells: rows.map((row, line): [number, string] => [row, block[line]?.[column] ?? '']),
  }));
}

export const filling = (fields: readonly InlineField[], values: readonly string[]): Operation[] =>
  fields.map((field, at) => settingTo(field, values[at] ?? ''));

/** '' clears the field. */
export const settingTo = (field: InlineField, value: string): Operation =>
  value.trim() === '' ? { kind: 'clear', field } : { kind: 'set', field, value: value.trim() };
