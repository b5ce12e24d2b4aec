import { openArchive } from './archive/open-archive.ts';
import { openGzip } from './archive/open-gzip.ts';
import { openWorkbook } from './book/open-workbook.ts';
import { Package } from './book/package.ts';
import { compoundFileError, isOfficePackage, otherDocument } from './book/refused-formats.ts';
import { type ByteSource, readRange } from './byte-source.ts';
import type { Container } from './container.ts';
import { containerKind } from './container-kind.ts';
import { type ContainerLimits, InflateBudget, refuseLargeFile } from './limits.ts';
import { readDirectory } from './zip/directory.ts';

export type { Container, FoundPicture, FoundTable } from './container.ts';
export type { ReadOptions, TableNotices, TableReading } from './table-reading.ts';

/** Finds the tables of a workbook or an archive. Throws a ContainerError if it cannot be read. */
export async function openContainer(source: ByteSource, limits: ContainerLimits): Promise<Container> {
  const kind = containerKind(await readRange(source, 0, 8));
  if (kind === 'cfb') throw await compoundFileError(source);
  if (kind === 'gzip') {
    refuseLargeFile(source.bytes, limits.fileBytesMax);
    return openGzip(source, limits);
  }
  const entries = await readDirectory(source);
  const budget = new InflateBudget(limits);
  const other = otherDocument(entries);
  if (other) throw other;
  const isWorkbook = isOfficePackage(entries);
  refuseLargeFile(source.bytes, isWorkbook ? limits.fileBytesMax : limits.archiveBytesMax);
  return isWorkbook
    ? openWorkbook(new Package(source, entries, budget), limits)
    : openArchive(source, entries, limits, budget);
}
