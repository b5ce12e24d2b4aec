import type { ByteSource } from '../byte-source.ts';
import type { Container } from '../container.ts';
import { type ContainerLimits, type InflateBudget, refuseLargeFile } from '../limits.ts';
import type { ZipEntry } from '../zip/directory.ts';
import { openWorkbook } from './open-workbook.ts';
import { Package } from './package.ts';
import { isOfficePackage, isOpenDocument, otherDocument } from './refused-formats.ts';

/** Finds the sheets of a workbook of any format; null if the archive is none. */
export async function openSheets(
  source: ByteSource,
  entries: readonly ZipEntry[],
  limits: ContainerLimits,
  budget: InflateBudget,
): Promise<Container | null> {
  const other = otherDocument(entries);
  if (other) throw other;
  const isOds = isOpenDocument(entries);
  if (!isOds && !isOfficePackage(entries)) return null;
  refuseLargeFile(source.bytes, limits.fileBytesMax);
  const parts = new Package(source, entries, budget);
  return isOds ? (await import('../ods/open-ods.ts')).openOds(parts, limits) : openWorkbook(parts, limits);
}
