import { otherWorkbooks, saveAsSentence } from '@draftshelf/csv/detect/other-workbooks';
import { type ByteSource, readRange } from '../byte-source.ts';
import { ContainerError } from '../container-error.ts';
import type { ZipEntry } from '../zip/directory.ts';
import { normalizeName } from '../zip/directory.ts';

export const unsupportedFormatError = (what: string): ContainerError =>
  new ContainerError('other_format', saveAsSentence(what));

export const protectedWorkbookError = (): ContainerError =>
  new ContainerError(
    'workbook_protected',
    'This workbook has a password. Save a copy without one and upload that.',
  );

/** Returns the error for a compound file: a workbook with a password, or a workbook of Excel 97 to 2003. */
export async function compoundFileError(source: ByteSource): Promise<ContainerError> {
  const header = await readRange(source, 0, 512);
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  if (header.length < 512) return unsupportedFormatError(otherWorkbooks['.xls']);
  const sectorBytes = 2 ** Math.min(12, view.getUint16(30, true));
  const from = (view.getUint32(48, true) + 1) * sectorBytes;
  // The names of the streams, in UTF-16. The names that matter are among the first ones.
  const names = new TextDecoder('utf-16le').decode(await readRange(source, from, from + 4096));
  return /EncryptedPackage|DataSpaces/.test(names)
    ? protectedWorkbookError()
    : unsupportedFormatError(otherWorkbooks['.xls']);
}

/** Returns the error for an archive that is a document of another kind or a program. Null for other archives. */
export function otherDocumentError(entries: readonly ZipEntry[]): ContainerError | null {
  const names = new Set(entries.map(({ name }) => normalizeName(name)));
  if (names.has('xl/workbook.bin')) return unsupportedFormatError(otherWorkbooks['.xlsb']);
  if (names.has('index/document.iwa') || names.has('index.zip'))
    return unsupportedFormatError(otherWorkbooks['.numbers']);
  if (names.has('word/document.xml')) return unsupportedFormatError('a Word document, not a workbook');
  if (names.has('ppt/presentation.xml')) return unsupportedFormatError('a presentation, not a workbook');
  if (names.has('meta-inf/manifest.mf')) return unsupportedFormatError('a program, not a workbook');
  return null;
}

/** Returns whether an archive is an OpenDocument file, as LibreOffice and other programs write it. */
export const isOpenDocument = (entries: readonly ZipEntry[]): boolean =>
  ['mimetype', 'content.xml'].every((part) => entries.some(({ name }) => normalizeName(name) === part));

export const isOfficePackage = (entries: readonly ZipEntry[]): boolean =>
  entries.some(({ name }) => ['[content_types].xml', 'xl/workbook.xml'].includes(normalizeName(name)));
