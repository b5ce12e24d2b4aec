import { findRefusalByName } from '@draftshelf/csv/detect/other-workbooks';
import { archiveBytesMaxDefault, fileBytesMaxDefault } from '@draftshelf/csv/limits';
import { formatFileSize } from '@draftshelf/domain/base/format';
import { isArchiveName, isListFile } from '@draftshelf/domain/reading/list-files';
import { capitalize, countOf, formatCount, formatMoment } from '../../../lib/intl.ts';
import { type EarlierImport, type EarlierImports, fieldLabel } from '../../import/index.ts';
import type { ReadingFailure } from '../preview/preview-state.ts';
import { countProcessedProducts, hasUnsentFiles, type Upload } from '../run/uploads.ts';
import {
  type ChosenFile,
  chosenFilesMax,
  type FileReading,
  isOnlyForServer,
  isUnfit,
  listNotUploaded,
  type RefusedFile,
} from './chosen-files.ts';

export type ClassCounts = Pick<
  FileReading,
  'products' | 'exact' | 'valid' | 'warnings' | 'errors' | 'parents'
>;

/** Returns the earlier import of the same file; null if there is none, or if the file is not read yet. */
export const findEarlierImport = ({ checked }: ChosenFile, earlier: EarlierImports): EarlierImport | null =>
  (checked?.kind === 'read' && earlier.get(checked.sha256)) || null;

/** Returns a file's product counts; after edits, those of its earlier import. Null if the file is not read yet. */
export function countClasses(file: ChosenFile, earlier: EarlierImport | null): ClassCounts | null {
  const { checked, choice, own } = file;
  if (checked?.kind !== 'read') return null;
  const isAsDetected = own === null && Object.keys(choice).length === 0;
  if (earlier === null || earlier.edits === 0 || earlier.classes === null || !isAsDetected) return checked;
  return earlier.classes.products === checked.products
    ? { ...earlier.classes, exact: true, parents: 0 }
    : checked;
}

/** Example: '19 valid · 3 warnings'. */
export function classWords({ exact, valid, warnings, errors }: Omit<ClassCounts, 'parents'>): string {
  const parts = [`${exact ? '' : 'about '}${formatCount(valid)} valid`];
  if (warnings > 0) parts.push(countOf(warnings, 'warning'));
  if (errors > 0) parts.push(countOf(errors, 'error'));
  return parts.join(' · ');
}

/** `isIncomplete`: whether the operator must still map columns. */
export function mappingWords({ all, mapped, missing, setBy }: FileReading['columns']) {
  if (mapped === 0) return { text: 'No columns recognized', isIncomplete: true };
  if (missing.length > 0) {
    return { text: `${missing.map(fieldLabel).join(' and ')}: no column`, isIncomplete: true };
  }
  if (setBy !== null) {
    return { text: setBy === 'memory' ? 'Mapping remembered' : 'Mapping set by you', isIncomplete: false };
  }
  const columns = countOf(all, 'column');
  const text = mapped === all ? `${columns} mapped` : `${formatCount(mapped)} of ${columns} mapped`;
  return { text, isIncomplete: false };
}

export function describeUnusable({ isBeyondDialects, detail }: ReadingFailure): string {
  const todo = isBeyondDialects
    ? 'Choose another file in its place, or remove it.'
    : 'Read it differently, choose another file, or remove it.';
  return detail === undefined ? todo : `${detail} ${todo}`;
}

/** Example: 'Uploaded 12:27 PM, 3 edits apply'. */
export function describeEarlierImport(
  { source, createdAt, edits }: Pick<EarlierImport, 'source' | 'createdAt' | 'edits'>,
  nowMs: number,
): string {
  const when = `${source === 'upload' ? 'Uploaded' : 'Arrived'} ${formatMoment(createdAt, nowMs)}`;
  if (edits === 0) return when;
  return `${when}, ${countOf(edits, 'edit')} ${edits === 1 ? 'applies' : 'apply'}`;
}

export function describeEarlierEffect(edits: number): string {
  if (edits === 0) return 'Existing products are matched, not duplicated.';
  const made = `${countOf(edits, 'edit')} in that import ${edits === 1 ? 'applies' : 'apply'} here too`;
  return `${made}; the rows below are shown without them. Existing products are matched, not duplicated.`;
}

/** Maps a file's id to the name of a file in a row above that has the same bytes. */
export function findDuplicatesAbove(files: readonly ChosenFile[]): ReadonlyMap<number, string> {
  const first = new Map<string, string>();
  const same = new Map<number, string>();
  for (const { id, file, checked } of files) {
    if (checked?.kind !== 'read') continue;
    const above = first.get(checked.sha256);
    if (above === undefined) first.set(checked.sha256, file.name);
    else same.set(id, above);
  }
  return same;
}

type ToUpload = ReturnType<typeof summarizeUpload>;

const noClasses: ClassCounts = { products: 0, exact: true, valid: 0, warnings: 0, errors: 0, parents: 0 };

/** Sums up the files to upload. A checked file counts as checked while its preview is read again. */
export function summarizeUpload(files: readonly ChosenFile[], earlier: EarlierImports) {
  const all = listNotUploaded(files);
  const fit = all.filter((file) => !isUnfit(file));
  const isKnown = ({ checked }: ChosenFile) => checked?.kind === 'read' && earlier.has(checked.sha256);
  const unseen = fit.filter(isOnlyForServer).length;
  const classes = fit.reduce(
    (sum, file) => sumOf(sum, countClasses(file, findEarlierImport(file, earlier))),
    noClasses,
  );
  return {
    /** Number of files that are not uploaded yet. */
    files: all.length,
    fit,
    /** Names of files that cannot be uploaded. */
    unfit: all.filter(isUnfit).map(({ file }) => file.name),
    checking: fit.filter((file) => !isKnown(file)).length - unseen,
    /** Number of files that only the server can read. */
    unseen,
    /** Sums over checked files. */
    classes,
  };
}

function sumOf(sum: ClassCounts, more: ClassCounts | null): ClassCounts {
  if (more === null) return sum;
  return {
    products: sum.products + more.products,
    exact: sum.exact && more.exact,
    valid: sum.valid + more.valid,
    warnings: sum.warnings + more.warnings,
    errors: sum.errors + more.errors,
    parents: sum.parents + more.parents,
  };
}

/** Returns a sentence that begins with the number of valid products, like the button 'Upload N Products'. */
function uploadScope({ files, fit, unfit, checking, unseen, classes }: ToUpload): string {
  if (checking > 0) {
    return files === 1
      ? 'Reading the file…'
      : `Checked ${formatCount(files - checking)} of ${countOf(files, 'file')}…`;
  }
  if (fit.length === 0) return files === 1 ? '' : 'None of these files can be uploaded.';
  const seen = fit.length - unseen;
  return [
    ...(seen > 0 ? [scopeWords(classes, seen)] : []),
    ...(unseen > 0 ? [`${countOf(unseen, 'file')} will be uploaded without a preview.`] : []),
    ...unfitSentence(unfit),
  ].join(' ');
}

function unfitSentence(unfit: readonly string[]): string[] {
  const [first] = unfit;
  if (first === undefined) return [];
  return [`${unfit.length === 1 ? first : countOf(unfit.length, 'file')} can’t be uploaded.`];
}

export const isUploaded = ({ fit }: Pick<ToUpload, 'fit'>, uploads: readonly Upload[]): boolean =>
  fit.length === 0 && uploads.length > 0;

/** Returns a sentence about the files to upload, or else about the uploads. */
export function describeUploads(toUpload: ToUpload, uploads: readonly Upload[]): string {
  if (!isUploaded(toUpload, uploads)) return uploadScope(toUpload);
  return [uploadsWords(uploads), ...unfitSentence(toUpload.unfit)].join(' ');
}

function scopeWords({ products, exact, valid, parents }: ClassCounts, files: number): string {
  const from = files === 1 ? '' : ` of ${countOf(files, 'file')}`;
  const about = exact ? '' : 'about ';
  const lacking = products - valid - parents;
  if (lacking === 0) {
    if (products === 1) return `1 product${from} will be uploaded.`;
    return `All ${about}${formatCount(products)} products${from} will be uploaded.`;
  }
  const uploads = valid === 0 ? 'Process All uploads ' : '';
  const need = `${countOf(lacking, 'needs', 'need')} a title or price before ${lacking === 1 ? 'it' : 'they'} can be pushed`;
  return capitalize(`${uploads}${about}${countOf(products, 'product')}${from}: ${need}.`);
}

function uploadsWords(uploads: readonly Upload[]): string {
  const results = uploads.filter(({ phase }) => phase === 'ended');
  const failed = uploads.filter(({ phase }) => phase === 'failed').length;
  const open = uploads.length - results.length - failed;
  const failures = failed === 0 ? '' : ` ${countOf(failed, 'file')} failed.`;
  if (open > 0) {
    return uploads.length === 1
      ? `${hasUnsentFiles(uploads) ? 'Uploading' : 'Processing'} the file…`
      : `${formatCount(results.length)} of ${countOf(uploads.length, 'file')} processed.${failures}`;
  }
  const products = countProcessedProducts(results);
  if (uploads.length === 1 && failed === 0) return `Processed: ${countOf(products, 'product')}.`;
  const processed = `${countOf(results.length, 'file')} processed, with ${countOf(products, 'product')}.`;
  return results.length === 0 ? failures.trim() : `${processed}${failures}`;
}

/** Example: 'Uploading: 1 MB of 4 MB (25%)', or '4 MB uploaded. Finishing up…' once the whole file is sent. */
export function sendingWords(sent: { bytes: number; whole: boolean }, fileBytes: number): string {
  if (sent.whole) return `${formatFileSize(fileBytes)} uploaded. Finishing up…`;
  return `Uploading: ${formatFileSize(sent.bytes)} of ${formatFileSize(fileBytes)} (${computeSentPercent(sent, fileBytes)}%)`;
}

export const computeSentPercent = ({ bytes }: { bytes: number }, fileBytes: number): number =>
  fileBytes === 0 ? 0 : Math.floor((bytes / fileBytes) * 100);

type Refusal = { title: string; text: string };

/** Returns accepted files. `refused`: files to list with a reason. `refusal`: a notification, if one is needed. */
export function acceptFiles(
  files: readonly File[],
  { room, bytesMax }: { room: number; bytesMax: number },
): { accepted: File[]; refused: RefusedFile[]; refusal: Refusal | null } {
  const accepted: File[] = [];
  const refused: { file: File; refusal: Refusal }[] = [];
  for (const file of files) {
    const refusal = refusalOf(file, bytesMax);
    if (refusal === null) accepted.push(file);
    else refused.push({ file, refusal });
  }
  const [first] = refused;
  if (accepted.length === 0) {
    return { accepted, refused: [], refusal: first === undefined ? null : inNotification(first, refused) };
  }
  const rows = refused.map(({ file, refusal }) => ({ file, message: `${refusal.title}: ${refusal.text}` }));
  if (files.length <= room) return { accepted, refused: rows, refusal: null };
  const text = `Only ${countOf(chosenFilesMax, 'file')} can be chosen at once. Upload these first.`;
  return {
    accepted: accepted.slice(0, room),
    refused: rows.slice(0, Math.max(0, room - accepted.length)),
    refusal: { title: 'Too many files', text },
  };
}

/** Returns a notification that names the first refused file. */
function inNotification(
  { file, refusal }: { file: File; refusal: Refusal },
  refused: readonly unknown[],
): Refusal {
  if (refused.length === 1) return refusal;
  const others = ` and ${formatCount(refused.length - 1)} more`;
  return { title: refusal.title, text: `${file.name}${others} can’t be uploaded. ${refusal.text}` };
}

/** Returns the reason against a file; null if the file is accepted. */
function refusalOf(file: File, bytesMax: number): Refusal | null {
  const other = findRefusalByName(file.name) ?? (isListFile(file) ? null : 'Please select a CSV file');
  if (other !== null) return { title: 'Invalid File Type', text: other };
  // Archives get at least the default limit here. The server has a limit of its own for them.
  const max = isArchiveName(file.name) ? Math.max(bytesMax, archiveBytesMaxDefault) : bytesMax;
  if (file.size <= max) return null;
  return {
    title: 'File too large',
    text: `${file.name} is larger than the ${sizeLimitWords(max)} limit. Split it into smaller files.`,
  };
}

/** Formats the limit; the default is '50MB'. */
export const sizeLimitWords = (fileBytesMax: number): string =>
  fileBytesMax === fileBytesMaxDefault ? '50MB' : formatFileSize(fileBytesMax);

/** Returns a note about the limit; null if it is the default. */
export const sizeLimitNote = (fileBytesMax: number): string | null =>
  fileBytesMax === fileBytesMaxDefault
    ? null
    : `This server accepts files up to ${formatFileSize(fileBytesMax)}.`;
