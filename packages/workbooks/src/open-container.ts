import { openSheets } from './book/open-sheets.ts';
import { compoundFileError } from './book/refused-formats.ts';
import { type ByteSource, readRange } from './byte-source.ts';
import type { Container } from './container.ts';
import { containerKind, kindBytes } from './container-kind.ts';
import { type ContainerLimits, type InflateBudget, inflateBudget, refuseLargeFile } from './limits.ts';
import { untilRepeated } from './repeated-rows.ts';
import { readDirectory } from './zip/directory.ts';

export type { Container, FoundPicture, FoundPictures, FoundTable } from './container.ts';
export type { ReadOptions, TableNotices, TableReading } from './table-reading.ts';

/**
 * Finds the tables of a workbook or an archive. What only some files need is loaded for them, because browsers run it.
 * The signal ends this, and all reading of the container.
 *
 * @throws ContainerError if it cannot be read
 */
export async function openContainer(
  source: ByteSource,
  limits: ContainerLimits,
  signal?: AbortSignal,
): Promise<Container> {
  const container = await openFile(source, limits, inflateBudget(limits, signal));
  return { ...container, read: (n, options) => untilRepeated(container.read(n, options)) };
}

async function openFile(
  source: ByteSource,
  limits: ContainerLimits,
  budget: InflateBudget,
): Promise<Container> {
  const kind = containerKind(await readRange(source, 0, kindBytes));
  if (kind === 'cfb') throw await compoundFileError(source);
  if (kind === 'gzip') {
    refuseLargeFile(source.bytes, limits.fileBytesMax);
    return (await import('./archive/open-gzip.ts')).openGzip(source, limits, budget);
  }
  const entries = await readDirectory(source);
  const workbook = await openSheets(source, entries, limits, budget);
  if (workbook) return workbook;
  refuseLargeFile(source.bytes, limits.archiveBytesMax);
  return (await import('./archive/open-archive.ts')).openArchive(source, entries, limits, budget);
}
