import { targetRowsMax } from '@draftshelf/contract/wire';
import { columnHeading, type InlineField } from '@draftshelf/domain/base/field-look';
import { isStorable } from '@draftshelf/domain/base/storable-text';
import type { Operation } from '@draftshelf/domain/review/operations/operation';
import { countOf, formatCount } from '../../../lib/intl.ts';

/** Texts of copied cells, by row. All rows have the same number of cells. */
export type CellBlock = readonly (readonly string[])[];

const clipboardCharsMax = 5_000_000;
const blockCharsMax = 200_000;
const cellCharsMax = 5_000;

/** Returns the cells as TSV, like spreadsheets: a cell with a tab, a line break or a quote is quoted. */
export const formatTsv = (block: CellBlock): string =>
  block.map((cells) => cells.map(quotedCell).join('\t')).join('\r\n');

const quotedCell = (cell: string): string =>
  /[\t\r\n"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

/** Returns the cells as an HTML table. `mso-number-format` makes Excel keep '00123' as text. */
export function formatHtmlTable(block: CellBlock): string {
  const cell = (text: string) =>
    `<td style="mso-number-format:'\\@';white-space:pre-wrap">${escaped(text).replaceAll('\n', '<br>')}</td>`;
  const rows = block.map((cells) => `<tr>${cells.map(cell).join('')}</tr>`);
  return `<meta charset="utf-8"><table>${rows.join('')}</table>`;
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (char) => escapes[char] ?? char);

export const hasSeveralCells = ({ text, html }: Clipboard): boolean =>
  text === '' ? /<table/i.test(html) : /[\t\r\n]/.test(text.replace(/\r?\n$/, ''));

/** The plain text and the HTML of a clipboard. Each is '' if absent. */
export type Clipboard = { text: string; html: string };

/** Returns the copied cells, or the reason why they cannot be pasted. HTML is read only if there is no plain text. */
export function readBlock({ text, html }: Clipboard): CellBlock | string {
  const source = text === '' ? html : text;
  if (source === '') return 'There is no text on the clipboard.';
  if (source.length > clipboardCharsMax) {
    const megabytes = Math.round(source.length / 1_000_000);
    return `The clipboard has ${formatCount(megabytes)} MB. Paste at most ${formatCount(targetRowsMax)} rows at a time.`;
  }
  const rows = text === '' ? readTable(html) : readTsv(text);
  if (typeof rows === 'string') return rows;
  return problemOf(rows) ?? filledUp(rows);
}

const tooManyRows = `The block has more than ${formatCount(targetRowsMax)} rows. Paste fewer at a time, or upload a corrections file.`;

function problemOf(rows: CellBlock): string | null {
  let chars = 0;
  for (const [at, cells] of rows.entries()) {
    for (const cell of cells) {
      chars += cell.length;
      if (!isStorable(cell))
        return `Line ${formatCount(at + 1)} of the block has characters that can’t be saved.`;
      if (cell.length > cellCharsMax)
        return `Line ${formatCount(at + 1)} of the block has a cell with more than ${formatCount(cellCharsMax)} characters.`;
    }
  }
  if (chars <= blockCharsMax) return null;
  return `The block has more than ${formatCount(blockCharsMax)} characters. Paste fewer rows at a time.`;
}

/** Appends empty cells up to the longest row, because spreadsheets omit empty cells at the ends of rows. */
function filledUp(rows: CellBlock): CellBlock {
  const width = Math.max(...rows.map((cells) => cells.length));
  return rows.map((cells) => [...cells, ...Array<string>(width - cells.length).fill('')]);
}

/** A quoted cell, up to the next separator. A quote that is never closed belongs to the cell's text instead. */
const quoted = /"([^"]*(?:""[^"]*)*)"(?=\t|\r?\n|\r|$)/y;
const plain = /[^\t\r\n]*/y;
const lineBreak = /\r?\n|\r/y;

function readTsv(text: string): CellBlock | string {
  const rows: string[][] = [[]];
  for (let at = 0; ; ) {
    const [cell, end] = cellAt(text, at);
    rows.at(-1)?.push(cell);
    if (end === text.length) break;
    at = end + 1;
    if (text[end] === '\t') continue;
    lineBreak.lastIndex = end;
    at = end + (lineBreak.exec(text)?.[0].length ?? 1);
    if (at === text.length) break;
    if (rows.length === targetRowsMax) return tooManyRows;
    rows.push([]);
  }
  return rows;
}

function cellAt(text: string, at: number): [cell: string, end: number] {
  quoted.lastIndex = at;
  const inQuotes = text[at] === '"' ? quoted.exec(text) : null;
  if (inQuotes) return [inQuotes[1]?.replaceAll('""', '"') ?? '', quoted.lastIndex];
  plain.lastIndex = at;
  const cell = plain.exec(text)?.[0] ?? '';
  return [cell, at + cell.length];
}

/** Comments, and elements whose content a page does not show. */
const unseen = /<!--[\s\S]*?-->|<(script|style|template|title)\b[\s\S]*?<\/\1\s*>/gi;
const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Parses HTML, without rendering it, and returns the cells of the first table. */
function readTable(html: string): CellBlock | string {
  const [, table] = /<table\b[^>]*>([\s\S]*?)(?:<\/table|$)/i.exec(html.replace(unseen, '')) ?? [];
  if (table === undefined) return 'The clipboard has no table and no text.';
  if (/<t[dh]\b[^>]*\b(?:col|row)span\s*=\s*["']?(?!1\b)\d/i.test(table))
    return 'The copied table has merged cells. Split them first.';
  const rows = table.split(/<tr\b[^>]*>/i).slice(1);
  if (rows.length > targetRowsMax) return tooManyRows;
  const cells = rows.map((row) =>
    row
      .split(/<t[dh]\b[^>]*>/i)
      .slice(1)
      .map(textOf),
  );
  return cells.length === 0 ? 'The copied table is empty.' : cells;
}

const textOf = (html: string): string =>
  html
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<br\b[^>]*>/gi, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (all, decimal, hex, name) => {
      if (name !== undefined) return named[String(name).toLowerCase()] ?? all;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : all;
    })
    .trim();

/** Marked cells: row numbers, and fields in the order of the columns. */
export type CellRange = { rows: readonly number[]; fields: readonly InlineField[] };

/** Example: '3 rows × 2 columns'. */
export const blockSizeWords = (rows: number, columns: number): string =>
  `${countOf(rows, 'row')} × ${countOf(columns, 'column')}`;

/** Repeats a block until it fills a range. Returns the block itself if the range's size is not a multiple of it. */
export function tileBlock(block: CellBlock, { rows, fields }: CellRange): CellBlock {
  const [height, width] = [block.length, block[0]?.length ?? 1];
  if (rows.length % height !== 0 || fields.length % width !== 0) return block;
  return rows.map((_, row) => fields.map((_, column) => block[row % height]?.[column % width] ?? ''));
}

/** Returns the fields for the block's columns from `first` on, or a sentence if the table has too few columns. */
export function findBlockFields(
  block: CellBlock,
  first: InlineField,
  shown: readonly InlineField[],
): readonly InlineField[] | string {
  const width = block[0]?.length ?? 0;
  const fields = shown.slice(shown.indexOf(first));
  if (width <= fields.length) return fields.slice(0, width);
  const has = `The block has ${countOf(width, 'column')}`;
  return `${has}, and the table has ${formatCount(fields.length)} from ${columnHeading(first)} on. Nothing was pasted.`;
}

export const tooFewRowsWords = (block: CellBlock, found: number): string =>
  `The block has ${countOf(block.length, 'row')}, but the table has only ${formatCount(found)} from this row on. Nothing was pasted.`;

export const createPasteOperations = (
  block: CellBlock,
  fields: readonly InlineField[],
  rows: readonly number[],
): Operation[] =>
  fields.map((field, column) => ({
    kind: 'paste',
    field,
    cells: rows.map((row, line): [number, string] => [row, block[line]?.[column] ?? '']),
  }));

export const createFillOperations = (
  fields: readonly InlineField[],
  values: readonly string[],
): Operation[] => fields.map((field, at) => createSetOperation(field, values[at] ?? ''));

/** Creates the operation that sets a field. An empty value clears the field. */
export const createSetOperation = (field: InlineField, value: string): Operation =>
  value.trim() === '' ? { kind: 'clear', field } : { kind: 'set', field, value: value.trim() };
