import { shortenText } from '../base/cut-text.ts';
import { countOf, formatCount } from '../base/format.ts';
import type { FolderKind } from '../folders/folders.ts';
import type { ImportSource } from './import-sources.ts';
import type { ImportStatus } from './import-status.ts';
import type { Outcome } from './outcome.ts';

/** Types of activity. The dashboard marks `other` as needing attention. */
export const activityTypes = ['completed', 'processing', 'error', 'other'] as const;
export type ActivityType = (typeof activityTypes)[number];

/** Events of a push's undo. With the prefix 'gone ', events of the undo of changes to products no longer listed. */
export type UndoEvent = 'undo begun' | 'undone' | 'undo cancelled';

export type Activity = { type: ActivityType; message: string };

/** Facts about an import directly after an event. */
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

/** Maximum length of a cause in an activity. The import has the full text. */
const causeLengthMax = 300;
const titleLengthMax = 100;

const activity = (type: ActivityType, message: string): Activity => ({ type, message });

/** Events of an import that are shown on the dashboard, with functions that return their activity. */
const events = {
  begun: ({ filename, source }) => activity('processing', `Processing ${filename}${originWords[source]}.`),
  processed,
  failed: (facts) => activity('error', `${facts.filename} failed: ${causeOf(facts)}`),
  paused: (facts) => activity('other', pausedWords(facts)),
  resumed: ({ filename }) => activity('processing', `${filename} was resumed.`),
  cancelled: ({ filename }) => activity('other', `${filename} was cancelled.`),
  replaced: ({ filename }) => activity('other', `${filename} was replaced by a newer list.`),
  'marked ready': ({ filename }) => activity('completed', `${filename} was marked as ready for Shopify.`),
  held: ({ filename, auto_held }) =>
    activity('other', `${filename} waits for you. ${auto_held ?? ''}`.trim()),
  'push begun': ({ filename }) => activity('processing', `Pushing ${filename} to Shopify.`),
  pushed,
  retried: ({ filename }) => activity('processing', `Retrying ${filename}.`),
  'undo begun': ({ filename }) => activity('processing', `Undoing the push of ${filename}.`),
  undone: ({ filename }) => activity('completed', `The push of ${filename} was undone.`),
  'undo cancelled': ({ filename }) => activity('other', `Undoing the push of ${filename} was cancelled.`),
  'gone begun': (facts) => activity('processing', `Changing ${unlistedOf(facts)}.`),
  'gone done': ({ filename }) =>
    activity('completed', `Products that ${filename} no longer lists were changed.`),
  'gone cancelled': (facts) => activity('other', `Changing ${unlistedOf(facts)} was cancelled.`),
  'gone undo begun': (facts) => activity('processing', `Undoing the change of ${unlistedOf(facts)}.`),
  'gone undone': (facts) => activity('completed', `The change of ${unlistedOf(facts)} was undone.`),
  'gone undo cancelled': (facts) =>
    activity('other', `Undoing the change of ${unlistedOf(facts)} was cancelled.`),
  'reread begun': ({ filename }) => activity('processing', `Re-reading ${filename}.`),
  'reread failed': (facts) => activity('error', `${facts.filename} couldn’t be re-read: ${causeOf(facts)}`),
  'reread cancelled': ({ filename }) => activity('other', `Re-reading ${filename} was cancelled.`),
} as const satisfies Record<string, (facts: ImportFacts) => Activity>;
export type ImportEvent = keyof typeof events;

/** Returns the activity for an event: its type, and a sentence. */
export const activityOf = (event: ImportEvent, facts: ImportFacts): Activity => events[event](facts);

const unlistedOf = ({ filename }: ImportFacts) => `products that ${filename} no longer lists`;

const originWords: Record<ImportSource, string> = {
  upload: '',
  local: ' from the watched folder',
  onedrive: ' from OneDrive',
  address: ' from its address',
};

/** Returns the activity for a product that was sent on its own and not by the push of an import. */
export const productActivity = (effect: 'created' | 'updated', title: string): Activity =>
  activity('completed', `${shortenText(title, titleLengthMax)} was ${effect} in Shopify.`);

/** Counts since the last summary of a watched folder: its imports by state, and the drafts that full auto created. */
export type FolderSummary = {
  files: number;
  ready: number;
  needReview: number;
  failed: number;
  /** Number of imports that are still being read or pushed. */
  running: number;
  drafts: number;
};

/** Names of the kinds of folders, for display. */
export const folderNames: Record<FolderKind, string> = { local: 'Local folder', onedrive: 'OneDrive' };

/** Returns the activity for the start of importing several files of a watched folder. */
export const filesBegunActivity = (folder: FolderKind, files: number): Activity =>
  activity('processing', `Processing ${countOf(files, 'file')}${originWords[folder]}.`);

/** Returns the activity that summarizes the files from a watched folder. */
export function folderSummaryActivity(
  folder: FolderKind,
  { files, ready, needReview, failed, running, drafts }: FolderSummary,
): Activity {
  const parts = [
    `${countOf(files, 'file')} imported`,
    ...(ready > 0 ? [`${formatCount(ready)} without problems`] : []),
    ...(needReview > 0 ? [countOf(needReview, 'needs your review', 'need your review')] : []),
    ...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
    ...(running > 0 ? [`${formatCount(running)} still running`] : []),
  ];
  const created = drafts > 0 ? ` ${countOf(drafts, 'draft')} created.` : '';
  const type = needReview + failed > 0 ? 'other' : 'completed';
  return activity(type, `${folderNames[folder]}: ${parts.join(', ')}.${created}`);
}

/** Returns the activity for refused files of a watched folder. `reason` is used only for a single file. */
export function refusedFilesActivity(
  folder: FolderKind,
  { names, files, reason }: { names: readonly string[]; files: number; reason: string },
): Activity {
  const shown = names.map((name) => shortenText(name, titleLengthMax)).join(', ');
  const more = files > names.length ? ` and ${formatCount(files - names.length)} more` : '';
  const what =
    files === 1
      ? `${shown} was refused. ${reason}`
      : `${formatCount(files)} files were refused: ${shown}${more}.`;
  return activity('other', `${folderNames[folder]}: ${what}`);
}

/** Returns the activity for a watched folder that is no longer readable or, if `trouble` is null, readable again. */
export function folderTroubleActivity(folder: FolderKind, trouble: string | null): Activity {
  const name = folder === 'local' ? 'The local folder' : folderNames[folder];
  if (trouble === null) return activity('completed', `${name} is read again.`);
  return activity('error', trouble.startsWith(name) ? trouble : `${name} can’t be read. ${trouble}`);
}

const causeOf = ({ error_message }: ImportFacts): string =>
  shortenText(error_message ?? 'unknown cause.', causeLengthMax);

const productsOf = (count: number) => countOf(count, 'product');

function processed(facts: ImportFacts): Activity {
  const { filename, valid_products: valid, warning_products: warnings, error_products: errors } = facts;
  if (facts.status === 'processed') {
    return activity('completed', `${filename} was checked: ${countOf(valid, 'valid product')}.`);
  }
  const counts = [
    `${formatCount(valid)} valid`,
    ...(warnings > 0 ? [countOf(warnings, 'warning')] : []),
    ...(errors > 0 ? [countOf(errors, 'error')] : []),
  ];
  return activity('other', `${filename} needs your review: ${counts.join(', ')}.`);
}

function pushed(facts: ImportFacts): Activity {
  const { filename, created, updated, unchanged, skipped, failed } = facts;
  const uploaded = created + updated;
  const sent = uploaded > 0 || unchanged === 0 ? [`${productsOf(uploaded)} uploaded to Shopify`] : [];
  const same =
    unchanged > 0 ? [`${sent.length > 0 ? formatCount(unchanged) : productsOf(unchanged)} unchanged`] : [];
  const losses = [
    ...(skipped > 0 ? [`${formatCount(skipped)} skipped`] : []),
    ...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
  ];
  const type = losses.length > 0 ? 'other' : 'completed';
  return activity(type, `${filename}: ${[...sent, ...same, ...losses].join(', ')}.`);
}

function pausedWords({ filename, paused_by, waiting_for }: ImportFacts): string {
  if (paused_by !== 'store') return `${filename} was paused.`;
  return `${filename} was paused by the store${waiting_for === null ? '.' : `: ${waiting_for}`}`;
}
