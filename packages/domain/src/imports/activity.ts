import { shortened } from '../base/cut-text.ts';
import { countOf, grouped } from '../base/format.ts';
import type { FolderKind } from '../folders/folders.ts';
import type { ImportSource } from './import-sources.ts';
import type { ImportStatus } from './import-status.ts';
import type { Outcome } from './outcome.ts';

/** The specification's kinds of activity. The dashboard shows `other` as what needs attention. */
export const activityTypes = ['completed', 'processing', 'error', 'other'] as const;
export type ActivityType = (typeof activityTypes)[number];

/** What happens to the undo of a push; with 'gone ': of a change of products that are no longer listed. */
export type UndoEvent = 'undo begun' | 'undone' | 'undo cancelled';

/** Events of an import that the dashboard shows. */
export type ImportEvent =
  | 'begun'
  | 'processed'
  | 'failed'
  | 'paused'
  | 'resumed'
  | 'cancelled'
  | 'marked ready'
  | 'held'
  | 'push begun'
  | 'pushed'
  | 'retried'
  | UndoEvent
  | 'gone begun'
  | 'gone done'
  | 'gone cancelled'
  | `gone ${UndoEvent}`
  | 'reread begun'
  | 'reread failed'
  | 'reread cancelled';

/** An import as it is right after the event. */
export type ImportFacts = Record<Outcome, number> & {
  filename: string;
  source: ImportSource;
  status: ImportStatus;
  valid_products: number;
  warning_products: number;
  error_products: number;
  paused_by: 'operator' | 'store' | null;
  waiting_for: string | null;
  error_message: string | null;
  auto_held: string | null;
};

/** Longer causes are cut: the import itself has them in full. */
const causeLengthMax = 300;
const titleLengthMax = 100;

/** The activity that tells an event: its type, and a sentence. */
export function activityOf(event: ImportEvent, facts: ImportFacts): { type: ActivityType; message: string } {
  const { filename } = facts;
  switch (event) {
    case 'begun':
      return { type: 'processing', message: `Processing ${filename}${originWords[facts.source]}.` };
    case 'processed':
      return processed(facts);
    case 'failed':
      return { type: 'error', message: `${filename} failed: ${causeOf(facts)}` };
    case 'paused':
      return { type: 'other', message: paused(facts) };
    case 'resumed':
      return { type: 'processing', message: `${filename} was resumed.` };
    case 'cancelled':
      return { type: 'other', message: `${filename} was cancelled.` };
    case 'marked ready':
      return { type: 'completed', message: `${filename} was marked as ready for Shopify.` };
    case 'held':
      return { type: 'other', message: `${filename} waits for you. ${facts.auto_held ?? ''}`.trim() };
    case 'push begun':
      return { type: 'processing', message: `Pushing ${filename} to Shopify.` };
    case 'pushed':
      return pushed(facts);
    case 'retried':
      return { type: 'processing', message: `Retrying ${filename}.` };
    case 'undo begun':
      return { type: 'processing', message: `Undoing the push of ${filename}.` };
    case 'undone':
      return { type: 'completed', message: `The push of ${filename} was undone.` };
    case 'undo cancelled':
      return { type: 'other', message: `Undoing the push of ${filename} was cancelled.` };
    case 'gone begun':
      return { type: 'processing', message: `Changing products that ${filename} no longer lists.` };
    case 'gone done':
      return { type: 'completed', message: `Products that ${filename} no longer lists were changed.` };
    case 'gone cancelled':
      return { type: 'other', message: `Changing products that ${filename} no longer lists was cancelled.` };
    case 'gone undo begun':
      return { type: 'processing', message: `Undoing the ${changeOf(filename)}.` };
    case 'gone undone':
      return { type: 'completed', message: `The ${changeOf(filename)} was undone.` };
    case 'gone undo cancelled':
      return { type: 'other', message: `Undoing the ${changeOf(filename)} was cancelled.` };
    case 'reread begun':
      return { type: 'processing', message: `Re-reading ${filename}.` };
    case 'reread failed':
      return { type: 'error', message: `${filename} couldn’t be re-read: ${causeOf(facts)}` };
    case 'reread cancelled':
      return { type: 'other', message: `Re-reading ${filename} was cancelled.` };
  }
}

const changeOf = (filename: string) => `change of products that ${filename} no longer lists`;

const originWords: Record<ImportSource, string> = {
  upload: '',
  local: ' from the watched folder',
  onedrive: ' from OneDrive',
};

/** The activity that tells of a product which was sent by itself, not by the push of an import. */
export function productActivity(
  effect: 'created' | 'updated',
  title: string,
): { type: ActivityType; message: string } {
  return { type: 'completed', message: `${shortened(title, titleLengthMax)} was ${effect} in Shopify.` };
}

/** Imports of a watched folder since the last summary, by their state, and the drafts that full-auto has created. */
export type FolderSummary = {
  files: number;
  ready: number;
  needReview: number;
  failed: number;
  /** Still being read or pushed. */
  running: number;
  drafts: number;
};

/** Folders as the activity names them. */
/** Names of the kinds of folders. */
export const folderNames: Record<FolderKind, string> = { local: 'Local folder', onedrive: 'OneDrive' };

/** The activity that tells that the imports of several files of a watched folder begin. */
export function filesBegun(folder: FolderKind, files: number): { type: ActivityType; message: string } {
  return { type: 'processing', message: `Processing ${countOf(files, 'file')}${originWords[folder]}.` };
}

/** The activity that tells of the files that a watched folder brought. */
export function folderSummary(
  folder: FolderKind,
  { files, ready, needReview, failed, running, drafts }: FolderSummary,
): { type: ActivityType; message: string } {
  const parts = [
    `${countOf(files, 'file')} imported`,
    ...(ready > 0 ? [`${grouped(ready)} ready for Shopify`] : []),
    ...(needReview > 0 ? [countOf(needReview, 'needs your review', 'need your review')] : []),
    ...(failed > 0 ? [`${grouped(failed)} failed`] : []),
    ...(running > 0 ? [`${grouped(running)} still running`] : []),
  ];
  const created = drafts > 0 ? ` ${countOf(drafts, 'draft')} created.` : '';
  return {
    type: needReview + failed > 0 ? 'other' : 'completed',
    message: `${folderNames[folder]}: ${parts.join(', ')}.${created}`,
  };
}

/** The activity that tells of refused files of a watched folder. `reason`: of the only one. */
export function refusedFiles(
  folder: FolderKind,
  { names, files, reason }: { names: readonly string[]; files: number; reason: string },
): { type: ActivityType; message: string } {
  const shown = names.map((name) => shortened(name, titleLengthMax)).join(', ');
  const more = files > names.length ? ` and ${grouped(files - names.length)} more` : '';
  const what =
    files === 1
      ? `${shown} was refused. ${reason}`
      : `${grouped(files)} files were refused: ${shown}${more}.`;
  return { type: 'other', message: `${folderNames[folder]}: ${what}` };
}

/** The activity that tells that a watched folder can’t be read any more, or again. */
export function folderTrouble(
  folder: FolderKind,
  trouble: string | null,
): { type: ActivityType; message: string } {
  const name = folder === 'local' ? 'The local folder' : folderNames[folder];
  if (trouble === null) return { type: 'completed', message: `${name} is read again.` };
  const message = trouble.startsWith(name) ? trouble : `${name} can’t be read. ${trouble}`;
  return { type: 'error', message };
}

const causeOf = ({ error_message }: ImportFacts): string =>
  shortened(error_message ?? 'unknown cause.', causeLengthMax);

const productsOf = (count: number) => countOf(count, 'product');

function processed(facts: ImportFacts): { type: ActivityType; message: string } {
  const { filename, valid_products: valid, warning_products: warnings, error_products: errors } = facts;
  if (facts.status === 'processed') {
    return { type: 'completed', message: `${filename} is ready for Shopify: ${productsOf(valid)}.` };
  }
  const counts = [
    `${grouped(valid)} valid`,
    ...(warnings > 0 ? [`${grouped(warnings)} ${warnings === 1 ? 'warning' : 'warnings'}`] : []),
    ...(errors > 0 ? [`${grouped(errors)} ${errors === 1 ? 'error' : 'errors'}`] : []),
  ];
  return { type: 'other', message: `${filename} needs your review: ${counts.join(', ')}.` };
}

function pushed(facts: ImportFacts): { type: ActivityType; message: string } {
  const { filename, created, updated, unchanged, skipped, failed } = facts;
  const uploaded = created + updated;
  const sent = uploaded > 0 || unchanged === 0 ? [`${productsOf(uploaded)} uploaded to Shopify`] : [];
  const same =
    unchanged > 0 ? [`${sent.length > 0 ? grouped(unchanged) : productsOf(unchanged)} unchanged`] : [];
  const losses = [
    ...(skipped > 0 ? [`${grouped(skipped)} skipped`] : []),
    ...(failed > 0 ? [`${grouped(failed)} failed`] : []),
  ];
  return {
    type: losses.length > 0 ? 'other' : 'completed',
    message: `${filename}: ${[...sent, ...same, ...losses].join(', ')}.`,
  };
}

function paused({ filename, paused_by, waiting_for }: ImportFacts): string {
  if (paused_by !== 'store') return `${filename} was paused.`;
  return `${filename} was paused by the store${waiting_for === null ? '.' : `: ${waiting_for}`}`;
}
