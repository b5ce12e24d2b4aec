import type { MappedColumn } from '@draftshelf/contract/reading/mapping';
import type { FileTable } from '@draftshelf/contract/reading/tables';
import {
  type CanonicalField,
  canonicalFields,
  fieldSpecs,
  isRequired,
  isRowField,
  labelOf,
  type RowField,
} from '@draftshelf/domain/base/canonical-fields';
import { optionsField, parseFieldValue, storeCategoryField } from '@draftshelf/domain/base/field-value';
import { selectListTables, type TableNotices } from '@draftshelf/domain/reading/file-tables';
import { certainConfidenceMin } from '@draftshelf/domain/reading/mapping/certainty';
import { countOf, formatCount } from '../../../lib/intl.ts';
import type { DraftColumn } from './mapping-draft.ts';

/** Returns unknown fields unchanged, because a newer server may send them. */
export function fieldLabel(field: string): string {
  if (field === optionsField) return 'Options';
  if (field === storeCategoryField) return 'Category in Shopify';
  return isRowField(field) ? labelOf(field) : field;
}

export const missingFields = (isRead: (field: CanonicalField) => boolean): CanonicalField[] =>
  canonicalFields.filter((field) => fieldSpecs[field].required && !isRead(field));

/** Of titles and prices with at least this confidence, 95 % are mapped correctly (see npm run bench:mapping). */
const likelyFrom = 0.6;

export function describeCertainty({
  isChanged,
  setBy,
  confidence,
}: Pick<DraftColumn, 'isChanged' | 'setBy' | 'confidence'>) {
  if (isChanged || setBy === 'operator') return 'Set by you';
  if (setBy === 'memory') return 'Remembered';
  if (confidence >= certainConfidenceMin) return 'Certain';
  return confidence >= likelyFrom ? 'Likely' : 'Guess';
}

export const unmappedWords = (columns: number): string =>
  columns === 1
    ? '1 unmapped column is kept with each row.'
    : `${formatCount(columns)} unmapped columns are kept with each row.`;

/** Example: 'Dealer → Price, Colour → no field'. */
export const setWords = (columns: Readonly<Record<string, string | null>>): string =>
  Object.entries(columns)
    .map(([header, field]) => `${header} → ${field === null ? 'no field' : fieldLabel(field)}`)
    .join(', ');

/** Describes a file without titles, whose products are matched by their keys. */
export const partialListSentence = 'A list of prices and stock: it updates known products and creates none.';

/** Example: '2 columns set by you. 1 column remembered from prices-may.csv.' */
export function mappingOriginWords(set: {
  byOperator: number;
  byMemory: number;
  from: string | null;
}): string {
  const parts: string[] = [];
  if (set.byOperator > 0) parts.push(`${countOf(set.byOperator, 'column')} set by you.`);
  if (set.byMemory > 0) {
    parts.push(`${countOf(set.byMemory, 'column')} remembered from ${set.from ?? 'an earlier file'}.`);
  }
  return parts.join(' ');
}

/** `name`: the accessible name. It begins with the column or field to which the chip belongs. */
export type ChipWords = { text: string; name: string };

export function columnChipWords(header: string, fields: readonly RowField[]): ChipWords {
  if (fields.length === 0) return { text: 'Not used', name: `Field of ${header}: not used` };
  const text = fields.map(fieldLabel).join(', ');
  return { text, name: `Field of ${header}: ${text}` };
}

export function fieldChipWords(field: RowField, header: string | null): ChipWords {
  const label = fieldLabel(field);
  if (header !== null) return { text: header, name: `Column for ${label}: ${header}` };
  if (isRequired(field)) return { text: 'Choose a column', name: `${label}: choose a column` };
  return { text: 'No column', name: `Column for ${label}: no column` };
}

/** Example: 'Price — choose a column'. */
export const missingColumnWords = (field: RowField): string => `${fieldLabel(field)} — choose a column`;

type Profile = NonNullable<MappedColumn['profile']>;

/** Example: '98 % filled, 100 % numbers, 31 % different values in the first 200 rows'. */
export function profileWords({ rows, filled, numeric, distinct }: Profile): string {
  if (rows === 0) return 'No rows';
  const percent = (share: number) => `${Math.round(100 * share)} %`;
  const where = `in the first ${formatCount(rows)} rows`;
  if (filled === 0) return `Empty ${where}`;
  const parts = [`${percent(filled)} filled`, `${percent(distinct)} different values`];
  if (numeric > 0) parts.splice(1, 0, `${percent(numeric)} numbers`);
  return `${parts.join(', ')} ${where}`;
}

/** Example: 'Brand: Nike', 'Brand: empty' or 'Size: S'. */
export function fieldValueWords(text: string): string {
  const fieldValue = parseFieldValue(text);
  if (fieldValue === null) return text;
  // An option's value includes the option's name, such as 'Size: S'.
  if (fieldValue.field === optionsField && fieldValue.value !== '') return fieldValue.value;
  return `${fieldLabel(fieldValue.field)}: ${fieldValue.value || 'empty'}`;
}

type Named = Pick<FileTable, 'name' | 'kind' | 'rows' | 'isList'>;

const nouns = { sheet: 'sheet', file: 'list' } as const;

/** Returns the table that was read, or null for the single file in a .gz, which has no name. */
export function describeReadTable(
  tables: readonly Named[],
  { name, kind }: Pick<FileTable, 'name' | 'kind'>,
): string | null {
  if (name === '') return null;
  const others = tables.length - 1;
  const shown = kind === 'sheet' ? `Sheet ‘${name}’` : `List ‘${name}’`;
  return others > 0 ? `${shown} · ${countOf(others, `other ${nouns[kind]}`)}` : shown;
}

/** Example: '2 sheets look like product lists: Prices (812 rows), New (40). …'. Null if fewer than two tables do. */
export function listsWords(tables: readonly Named[]): string | null {
  const lists = selectListTables(tables);
  const [first] = lists;
  if (first === undefined || lists.length < 2) return null;
  const noun = nouns[first.kind];
  const names = lists.map(({ name, rows }, at) => {
    if (rows === null) return name;
    return `${name} (${at === 0 ? countOf(rows, 'row') : formatCount(rows)})`;
  });
  const found = first.kind === 'file' ? 'file' : noun;
  return `${countOf(lists.length, found)} look like product lists: ${names.join(', ')}. One import reads one ${noun}.`;
}

/** Sentences about other tables: '14 edits belong to the sheet ‘Prices’. They come back when that sheet is re-read.' */
export const otherTableEditsWords = (
  tables: readonly Pick<FileTable, 'name' | 'kind' | 'edits'>[],
  current: string,
): string[] =>
  tables.flatMap(({ name, kind, edits }) => {
    if (name === current || !edits) return [];
    const [belong, come] = edits === 1 ? ['belongs', 'It comes'] : ['belong', 'They come'];
    return [
      `${countOf(edits, 'edit')} ${belong} to the ${nouns[kind]} ‘${name}’. ${come} back when that ${nouns[kind]} is re-read.`,
    ];
  });

export function tableNoticeWords(notices: TableNotices): string[] {
  const { hiddenRows, hiddenColumns, errorCells, formulasWithoutValue, endedAtRepeats } = notices;
  const hidden = [
    ...(hiddenRows > 0 ? [countOf(hiddenRows, 'hidden row')] : []),
    ...(hiddenColumns > 0 ? [countOf(hiddenColumns, 'hidden column')] : []),
  ];
  const were = hiddenRows + hiddenColumns === 1 ? 'was' : 'were';
  return [
    ...(hidden.length > 0 ? [`${hidden.join(' and ')} ${were} read too.`] : []),
    ...(errorCells > 0
      ? [
          `${countOf(errorCells, 'cell')} ${errorCells === 1 ? 'has a formula error' : 'have formula errors'}.`,
        ]
      : []),
    ...(formulasWithoutValue > 0
      ? [
          `${countOf(formulasWithoutValue, 'formula')} ${formulasWithoutValue === 1 ? 'was' : 'were'} never calculated.`,
        ]
      : []),
    ...(endedAtRepeats ? ['The same row is repeated more than 1,000 times. Reading stopped there.'] : []),
  ];
}
