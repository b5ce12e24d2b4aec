import { overridesOf, type ScannedTable } from '@draftshelf/csv/dialect';
import type { ReadLimits } from '@draftshelf/csv/limits';
import { readSample, type SampleReading } from '@draftshelf/reading/read-sample';
import { testRowsMax } from '@draftshelf/reading/split-stream';
import { ContainerError } from '@draftshelf/workbooks/container-error';
import type { RunOverrides } from '../work/runs.ts';
import { changedOverrides, type RereadChanges } from './begin-reread.ts';

export type TextHead = { bytes: Uint8Array; isWhole: boolean };

type SampleOptions = {
  /** The head of the text that is read: the file's own, or of a table in it. */
  headOf(table: ScannedTable | undefined): Promise<TextHead>;
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
  // Each reading keeps the processor busy for some 15 ms. Polls are answered in between.
  await new Promise(setImmediate);
  const after = await read(changedOverrides(current, changes));
  return {
    isWhole: isTest || (before.isWhole && after.isWhole),
    before: before.reading,
    after: after.reading,
  };
}
