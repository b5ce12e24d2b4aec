import type { ByteSource } from '../byte-source.ts';
import type { Container } from '../container.ts';
import { type ContainerLimits, refuseLargeFile } from '../limits.ts';
import { openOds } from '../ods/open-ods.ts';
import type { ZipEntry } from '../zip/directory.ts';
import { openWorkbook } from './open-workbook.ts';
import { Package } from './package.ts';
import { isOfficePackage, isOpenDocument, otherDocument } from './refused-formats.ts';

/** Finds the sheets of a workbook of any format; null if the archive is none. */
export async function openSheets(
  source: ByteSource,
  entries: readonly ZipEntry[],
  limits: ContainerLimits,
): Promise<Container | null> {
  const other = otherDocument(entries);
  if (other) throw other;
  const open = isOpenDocument(entries) ? openOds : isOfficePackage(entries) ? openWorkbook : null;
  if (open === null) return null;
  refuseLargeFile(source.bytes, limits.fileBytesMax);
  return open(new Package(source, entries, limits), limits);
}
