import { headName, type InlineField } from '@draftshelf/domain/base/field-look';
import type { Operation } from '@draftshelf/domain/review/operations/operation';
import { countOf, formatCount } from '../../../lib/intl.ts';
import type { Block } from './block-text.ts';

/** The marked cells: rows of the page by number, and fields in the order of the columns. */
export type CellRange = { rows: readonly number[]; fields: readonly InlineField[] };

/** '3 rows × 2 columns'. */
export const sizeWords = (rows: number, columns: number): string =>
  `${countOf(rows, 'row')} × ${countOf(columns, 'column')}`;

/**
 * How often a block is repeated in a range: a single cell fills it, and so does a block that fits into it some times.
 * Else it is pasted once, from the first cell of the range on.
 */
export function tiled(block: Block, { rows, fields }: CellRange): Block {
  const [height, width] = [block.length, block[0]?.length ?? 1];
  if (rows.length % height !== 0 || fields.length % width !== 0) return block;
  return rows.map((_, row) => fields.map((_, column) => block[row % height]?.[column % width] ?? ''));
}

/** The fields that a block is pasted into, from the first one on; a sentence if there are too few. */
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

/** Why a block does not fit into the rows from the first one on. `found`: how many there are. */
export const tooFewRows = (block: Block, found: number): string =>
  `The block has ${countOf(block.length, 'row')}, and there are ${formatCount(found)} from this one on. Nothing was pasted.`;

/** What pastes a block into rows, one operation for each field. */
export function pasting(block: Block, fields: readonly InlineField[], rows: readonly number[]): Operation[] {
  return fields.map((field, column) => ({
    kind: 'paste',
    field,
    cells: rows.map((row, line): [number, string] => [row, block[line]?.[column] ?? '']),
  }));
}

/** What fills each column with the value of its first cell. */
export const filling = (fields: readonly InlineField[], values: readonly string[]): Operation[] =>
  fields.map((field, at) => settingTo(field, values[at] ?? ''));

/** What gives a field one value; '' clears it. */
export const settingTo = (field: InlineField, value: string): Operation =>
  value.trim() === '' ? { kind: 'clear', field } : { kind: 'set', field, value: value.trim() };
