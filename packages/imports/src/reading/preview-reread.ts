import { overridesOf } from '@draftshelf/csv/dialect';
import type { ReadLimits } from '@draftshelf/csv/limits';
import type { RunOverrides } from '@draftshelf/database/work/runs';
import { readSample, type SampleReading } from '@draftshelf/reading/read-sample';
import { testRowsMax } from '@draftshelf/reading/split-stream';
import { changedOverrides, type RereadChanges } from './begin-reread.ts';

/** The head of a stored file, and how much of it is read. */
export type FileHead = {
  bytes: Uint8Array;
  /** The bytes are the whole file. */
  isWhole: boolean;
  /** Only the rows of a test are read. */
  isTest: boolean;
  limits: ReadLimits;
  rowsMax: number;
  recordsMax: number;
};

/** The readings; a sentence where the head cannot be read. `isWhole`: they hold all rows of the import. */
export type RereadSamples = {
  isWhole: boolean;
  before: SampleReading | string;
  after: SampleReading | string;
};

/** Reads the head of a file as a run reads it, and as a re-read with these changes would. Edits are not applied. */
export async function sampleReread(
  head: FileHead,
  current: RunOverrides,
  changes: RereadChanges,
): Promise<RereadSamples> {
  const { bytes, limits, recordsMax, isTest } = head;
  const rowsMax = isTest ? testRowsMax : head.rowsMax;
  const read = ({ dialect, mappingOverrides }: RunOverrides) => {
    const overrides = { dialect: overridesOf(dialect), mapping: mappingOverrides };
    return readSample(bytes, head.isWhole, { limits, overrides, rowsMax, recordsMax });
  };
  const before = read(current);
  // Each reading keeps the processor busy for some 15 ms. Polls are answered in between.
  await new Promise(setImmediate);
  const after = read(changedOverrides(current, changes));
  const isComplete = (reading: SampleReading | string) =>
    typeof reading === 'string' || reading.rows < rowsMax;
  return { isWhole: isTest || (head.isWhole && isComplete(before) && isComplete(after)), before, after };
}
