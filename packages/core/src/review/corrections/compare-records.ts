import { createHash } from 'node:crypto';
import type { Dialect } from '@draftshelf/csv/dialect';
import {
  type CanonicalField,
  isProductField,
  type RowValues,
} from '@draftshelf/domain/base/canonical-fields';
import { choiceReaders } from '@draftshelf/domain/base/field-choices';
import { convertDecimalComma } from '@draftshelf/domain/base/money';
import { toStorableText } from '@draftshelf/domain/base/storable-text';
import { detectDecimalMark } from '@draftshelf/domain/reading/decimal-marks';
import { readRowValues } from '@draftshelf/domain/reading/row-values';
import { compareCell } from '@draftshelf/domain/review/corrections/compare-cell';
import type { LineResult } from '@draftshelf/domain/review/corrections/line-kinds';
import { importTag, parseRowKey, type RowKey } from '@draftshelf/domain/review/corrections/row-key';
import {
  type CorrectionColumn,
  readCorrectedValue,
  toCorrectionCell,
} from '@draftshelf/domain/review/corrections/shown-cells';
import { numberFields } from '@draftshelf/domain/review/operations/operation';
import { findValueProblem } from '@draftshelf/domain/review/operations/value-problem';
import type { Db } from '../../connection/database.ts';
import type { CorrectionsCounts, CorrectionsRecord, ImportRecord } from '../../connection/schema.ts';
import { currentRows, readParseRun, type SplitParseRun } from '../../work/runs.ts';
import { findRowsOfEdits } from '../commands/stored-edits.ts';
import { type EffectiveRow, readFirstRows, readOverlay, readRowsByNumber } from '../effective-rows.ts';
import { listColumns, matchColumns } from './columns.ts';
import type { CorrectedRow, CorrectionLine } from './correction-lines.ts';
import { type DownloadedValues, hashFoundValue, restoreFoundValues } from './found-marks.ts';

export type CorrectionRecord = { line: number; cells: readonly string[] };

/** `place`: the place of the row that the line belongs to, or null if the line has no row. */
export type ComparedRecords = {
  rows: CorrectedRow[];
  lines: (CorrectionLine & { place: number | null })[];
  counts: Pick<CorrectionsCounts, 'fields' | 'unused'>;
  /** Indexes of the columns whose amounts have decimal commas, as found in the records compared so far. */
  commas: number[];
};

type KeyedRecord = CorrectionRecord & { key: RowKey };
type ShownRow = DownloadedValues & Pick<EffectiveRow, 'cells'>;

/** Compares records with the downloaded values. A cell changed both in the file and in the import is a conflict. */
export async function compareRecords(
  db: Db,
  record: ImportRecord,
  { source }: Pick<CorrectionsRecord, 'source'>,
  records: readonly CorrectionRecord[],
): Promise<ComparedRecords> {
  const of = currentRows(record);
  const run = await readParseRun(db, of);
  const { key: keyColumn, known } = matchColumns(source.headers, listColumns(run.headers, run.mapping));
  const { keyed: all, refused } = readKeys(record.id, keyColumn, records);
  const { keyed, rows: given } = withoutRepeats(all, known);
  const places = keyed.map(({ key }) => ({ row: key.row, byte_from: key.place }));
  const found = await findRowsOfEdits(db, of, places);
  const read = await readRowsByNumber(db, of, [...found.values()]);
  const rows = new Map(read.map((row) => [row.byte_from, row]));
  const before = await readBefore(db, record, run, keyed, rows);
  const marks = new Map(
    known.map(({ at }) => [
      at,
      detectDecimalMark(records.map(({ cells }) => cells[at])) ??
        (source.commas.includes(at) ? ',' : undefined),
    ]),
  );
  const comparer = rowComparer(run, { ...source, marks }, known, of.run);
  const commas = known.flatMap(({ at }) => (marks.get(at) === ',' ? [at] : []));
  const compared: ComparedRecords = { rows: given, lines: refused, counts: comparer.counts, commas };
  const open: OpenCell[] = [];
  for (const one of keyed) {
    const [row, shown] = [rows.get(one.key.place), before.get(one)];
    if (!row || !shown || row.isDamaged)
      compared.lines.push({ ...lineOf(one, 'no-row'), place: one.key.place });
    else open.push(...comparer.compare(one, row, shown));
  }
  // If each row is a product, no first rows are needed. For a sorted file, finding them would read the whole import.
  const shared = record.total_rows === record.total_products ? [] : open;
  const products = shared.filter(({ field }) => isProductField(field)).map(({ row }) => row.product);
  const firsts = await readFirstRows(db, of, [...new Set(products)]);
  for (const cell of open) {
    const first = isProductField(cell.field) ? firsts.get(cell.row.product) : undefined;
    const line = decide(cell, first ?? cell.row);
    if (line) compared.lines.push({ ...line, place: cell.key.place });
  }
  return compared;
}

function readKeys(importId: string, column: number, records: readonly CorrectionRecord[]) {
  const keyed: KeyedRecord[] = [];
  const refused: ComparedRecords['lines'] = [];
  for (const record of records) {
    const text = record.cells[column]?.trim() ?? '';
    const key = parseRowKey(text);
    if (key?.tag === importTag(importId)) keyed.push({ ...record, key });
    else {
      const kind = key ? 'other-import' : text === '' ? 'no-key' : 'changed-key';
      refused.push({ ...lineOf(record, kind), place: null });
    }
  }
  return { keyed, refused };
}

const lineOf = ({ line }: CorrectionRecord, kind: LineResult): CorrectionLine => ({
  ...{ line, kind, row: null, byteFrom: null, field: null, before: null, now: null, after: null },
});

/** Drops records that repeat an earlier record. Returns the rows, each with a hash of its compared cells. */
function withoutRepeats(all: readonly KeyedRecord[], known: readonly KnownColumn[]) {
  const rows = new Map<number, CorrectedRow>();
  const keyed = all.filter(({ key: { place }, cells }) => {
    const compared = known.map(({ at }) => cells[at]?.trim() ?? '');
    const hash = createHash('sha1').update(JSON.stringify(compared)).digest('base64');
    const earlier = rows.get(place);
    if (earlier) earlier.isAmbiguous ||= earlier.hash !== hash;
    else rows.set(place, { byteFrom: place, hash, isAmbiguous: false });
    return earlier?.hash !== hash;
  });
  return { keyed, rows: [...rows.values()] };
}

/** Reads the values that rows had when they were downloaded. A merged file may consist of several downloads. */
async function readBefore(
  db: Db,
  record: ImportRecord,
  { mapping }: SplitParseRun,
  keyed: readonly KeyedRecord[],
  rows: ReadonlyMap<number, EffectiveRow>,
): Promise<Map<KeyedRecord, DownloadedValues>> {
  const before = new Map<KeyedRecord, DownloadedValues>();
  for (const [edit, records] of Map.groupBy(keyed, ({ key }) => key.edit)) {
    const ofMoment = records.flatMap((one) => {
      const row = rows.get(one.key.place);
      return row ? [{ one, row }] : [];
    });
    const shown = ofMoment.map(({ row }) => row);
    const overlay = await readOverlay(db, currentRows(record), shown, edit);
    for (const { one, row } of ofMoment) {
      const parsed = readRowValues(row.cells, mapping);
      before.set(one, restoreFoundValues(one.key, overlay(row, parsed), parsed));
    }
  }
  return before;
}

type KnownColumn = { at: number; column: CorrectionColumn };

/** A field whose value differs from the downloaded value, or whose cell cannot be read as a value. */
type OpenCell = KeyedRecord & {
  row: EffectiveRow;
  field: CanonicalField;
  before: string;
  wasEdited: boolean;
  after: string;
  refused?: LineResult;
};

const isNumberField = (field: CanonicalField | null): boolean =>
  field !== null && (numberFields as readonly CanonicalField[]).includes(field);

function rowComparer(
  { mapping }: SplitParseRun,
  { dialect, marks }: { dialect: Dialect; marks: ReadonlyMap<number, ',' | '.' | undefined> },
  known: readonly KnownColumn[],
  run: number,
) {
  const isLossy = !dialect.encoding.startsWith('utf-');
  const hasComma = (at: number | null) => at !== null && mapping.decimalComma?.includes(at) === true;
  const decimalsOf = ({ at, field }: CorrectionColumn): ',' | '.' | undefined => {
    if (!isNumberField(field)) return undefined;
    return hasComma(at) ? ',' : '.';
  };
  const ofField = Map.groupBy(known, ({ column }) => column.field);
  const counts: ComparedRecords['counts'] = { fields: {}, unused: {} };

  const readCell = ({ at, column }: KnownColumn, { key, cells }: KeyedRecord, before: ShownRow) => {
    const cell = cells[at] ?? '';
    const shown = toCorrectionCell(before, column, mapping);
    const decimals = decimalsOf(column);
    const reading = { decimals, given: decimals && marks.get(at), isLossy };
    const isSame = (other: string) => compareCell(other, cell, reading) === 'same';
    // A cell downloaded from another parse run counts as unchanged if it equals the cell in the import's file.
    const isOfFile = key.run !== run && column.at !== null && isSame(before.cells[column.at] ?? '');
    const verdict = isOfFile ? 'same' : compareCell(shown, cell, reading);
    return { at: column.at, cell, shown, verdict, hasComma: marks.get(at) === ',' };
  };
  const valueWith = (
    field: CanonicalField,
    read: readonly ReturnType<typeof readCell>[],
    before: ShownRow,
  ) => {
    const texts = (mapping.sources[field] ?? [null]).map((at) => {
      const given = read.find((cell) => cell.at === at);
      const isChanged = given?.verdict === 'changed';
      const text = isChanged
        ? given.cell
        : (given?.shown ?? toCorrectionCell(before, { name: '', at, field }, mapping));
      const hasDecimalComma = hasComma(at) || (isChanged && given.hasComma);
      return isNumberField(field) && hasDecimalComma ? convertDecimalComma(text) : text;
    });
    return asChoice(field, toStorableText(readCorrectedValue(field, texts).replace(/\r\n?/g, '\n')));
  };
  const compareField = (
    field: CanonicalField,
    columns: readonly KnownColumn[],
    one: KeyedRecord,
    before: ShownRow,
  ) => {
    const was = before.values[field] ?? '';
    counts.fields[field] ??= { filled: 0, changed: 0, emptied: 0 };
    if (was !== '') counts.fields[field].filled += 1;
    const read = columns.map((column) => readCell(column, one, before));
    const [first] = read.filter(({ verdict }) => verdict !== 'same');
    if (!first) return [];
    const changed = { field, before: was, wasEdited: before.sources[field] === 'edit' };
    const refuse = ({ cell }: typeof first, refused: LineResult) => [
      { ...changed, after: cell.trim(), refused },
    ];
    if (before.lost.has(field)) {
      const isAsFound = read.some(({ cell }) => hashFoundValue(cell) === one.key.found[field]);
      return isAsFound ? [] : refuse(first, 'found-since');
    }
    const spoiled = read.find(({ verdict }) => verdict !== 'same' && verdict !== 'changed');
    if (spoiled) return refuse(spoiled, spoiled.verdict as LineResult);
    const after = valueWith(field, read, before);
    return after === was ? [] : [{ ...changed, after }];
  };

  return {
    counts,
    compare(one: KeyedRecord, row: EffectiveRow, values: DownloadedValues): OpenCell[] {
      const before = { cells: row.cells, ...values };
      for (const known of ofField.get(null) ?? []) {
        const { name } = known.column;
        const isChanged = readCell(known, one, before).verdict === 'changed';
        if (isChanged) counts.unused[name] = (counts.unused[name] ?? 0) + 1;
      }
      return [...ofField].flatMap(([field, columns]) =>
        field === null
          ? []
          : compareField(field, columns, one, before).map((cell) => ({ ...one, row, ...cell })),
      );
    },
  };
}

const asChoice = (field: CanonicalField, value: string): string =>
  value !== '' && field in choiceReaders ? choiceReaders[field as keyof typeof choiceReaders](value) : value;

/** Classifies a changed cell. Null if the field already has the new value. `holder`: the row that stores the field. */
function decide(
  { line, row, field, before, wasEdited, after, refused }: OpenCell,
  holder: EffectiveRow,
): CorrectionLine | null {
  const values: RowValues = holder.values;
  const now = values[field] ?? '';
  const kindOf = (): LineResult | null => {
    const decimals = isNumberField(field) ? '.' : undefined;
    if (now === after || (now !== before && compareCell(now, after, { decimals }) === 'same')) return null;
    if (refused) return refused;
    if (holder.row !== row.row) return 'of-product';
    // A value that a look-up has found since the download is no conflict.
    if (now !== before && (wasEdited || holder.sources[field] !== 'found')) return 'conflict';
    return (findValueProblem(field, after, now) as LineResult | null) ?? 'change';
  };
  const kind = kindOf();
  return kind && { line, field, kind, before, now, after, row: holder.row, byteFrom: holder.byte_from };
}
