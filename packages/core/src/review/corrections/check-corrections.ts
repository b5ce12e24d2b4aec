import { rowKeyColumn } from '@draftshelf/csv/own-download';
import { detectDecimalMark } from '@draftshelf/domain/reading/decimal-marks';
import { importTag, parseRowKey } from '@draftshelf/domain/review/corrections/row-key';
import type { SplitFile } from '@draftshelf/reading/split-stream';
import type { Db } from '../../connection/database.ts';
import type { CompareProgress, CorrectionsFile } from '../../connection/schema.ts';
import type { CorrectionRecord } from './compare-records.ts';
import { findImportByTag } from './corrections.ts';

export const toCorrectionsSource = (
  { dialect, headers, whole }: Pick<SplitFile, 'dialect' | 'headers' | 'whole'>,
  records: readonly CorrectionRecord[],
  bytes: number,
): CorrectionsFile => ({
  ...{ dialect, headers, bytes, records: whole.rows },
  commas: headers.flatMap((_, column) =>
    detectDecimalMark(records.map(({ cells }) => cells[column])) === ',' ? [column] : [],
  ),
});

export const createFirstProgress = ({ whole: { cuts } }: Pick<SplitFile, 'whole'>): CompareProgress => ({
  byte: cuts[0]?.byteFrom ?? 0,
  line: cuts[0]?.firstLine ?? 1,
  row: cuts[0]?.firstRow ?? 1,
});

/** Returns why a file is no corrections file of an import, or null if it is. `isAll`: `records` is the whole file. */
export async function findCorrectionsRefusal(
  db: Db,
  importId: string,
  file: { headers: readonly string[]; records: readonly CorrectionRecord[]; isAll: boolean },
): Promise<string | null> {
  const { headers, records, isAll } = file;
  const column = headers.indexOf(rowKeyColumn);
  if (column === -1) {
    return `This file has no column “${rowKeyColumn}”. Download the corrections file of this import and make the changes there.`;
  }
  const keys = records.flatMap(({ cells }) => parseRowKey(cells[column] ?? '') ?? []);
  if (keys.some(({ tag }) => tag === importTag(importId))) return null;
  const [other] = keys;
  if (!other) {
    if (!isAll) return null;
    return `The rows of this file have lost their keys. Leave the column “${rowKeyColumn}” as it was downloaded.`;
  }
  const whose = await findImportByTag(db, other.tag);
  return whose
    ? `These corrections belong to “${whose.filename}”. Upload them there.`
    : 'These corrections belong to an import that was deleted.';
}
