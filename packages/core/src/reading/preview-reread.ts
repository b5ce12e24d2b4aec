import { overridesOf, type ScannedTable } from '@draftshelf/csv/dialect';
import type { ReadLimits } from '@draftshelf/csv/limits';
import { readSample, type SampleReading } from '@draftshelf/reading/read-sample';
import { testRowsMax } from '@draftshelf/reading/split-stream';
import { ContainerError } from '@draftshelf/workbooks/container-error';
import type { RunOverrides } from '../work/runs.ts';
import { mergeOverrides, type RereadChanges } from './begin-reread.ts';

export type TextHead = { bytes: Uint8Array; isWhole: boolean };

type SampleOptions = {
  /** Returns the head of the text to read: of the file itself, or of a table in the file. */
  headOf(table: ScannedTable | undefined): Promise<TextHead>;
  isTest: boolean;
  limits: ReadLimits;
  rowsMax: number;
  recordsMax: number;
};

/** The readings, or sentences if the head cannot be read. `isWhole`: the readings have all rows of the import. */
export type RereadSamples = {
  isWhole: boolean;
  before: SampleReading | string;
  after: SampleReading | string;
};

/** Reads the head of a file as the current run does, and as a re-read with changes would. Edits are not applied. */
export async function sampleReread(
  { headOf, isTest, limits, recordsMax, ...options }: SampleOptions,
  current: RunOverrides,
  changes: RereadChanges,
): Promise<RereadSamples> {
  const rowsMax = isTest ? testRowsMax : options.rowsMax;
  const read = async ({ dialect, mappingOverrides }: RunOverrides) => {
    const { table } = dialect;
    const overrides = { dialect: overridesOf(dialect), mapping: mappingOverrides };
    try {
      const { bytes, isWhole } = await headOf(table);
      const reading = readSample(bytes, isWhole, { limits, overrides, table, rowsMax, recordsMax });
      return { reading, isWhole: isWhole && (typeof reading === 'string' || reading.rows < rowsMax) };
    } catch (error) {
      if (error instanceof ContainerError) return { reading: error.message, isWhole: true };
      throw error;
    }
  };
  const before = await read(current);
  // Each reading takes about 15 ms of CPU time, so polls are answered between two readings.
  await new Promise(setImmediate);
  const after = await read(mergeOverrides(current, changes));
  return {
    isWhole: isTest || (before.isWhole && after.isWhole),
    before: before.reading,
    after: after.reading,
  };
}
