import type { Settings } from '@draftshelf/domain/access/settings';
import { messageOf } from '../../api/call.ts';
import { countOf } from '../../lib/intl.ts';
import type { Difference } from '../../ui/draft.tsx';
import type { ToastRequest } from '../../ui/feedback/toast-state.ts';

export const settingLabels: Record<keyof Settings, string> = {
  draftMode: 'Safe Mode (Draft Only)',
  batchSize: 'Batch Size',
  autoRetry: 'Auto-retry Failed Items',
  aiValidation: 'AI Validation & Enhancement',
  upcLookup: 'UPC Image Lookup',
  oneDriveEnabled: 'Enable file monitoring',
  oneDriveFolder: 'Watch folder path',
  watchFrequency: 'Watch frequency',
  autoProcessMode: 'Auto-processing mode',
  deleteAfterProcess: 'Delete after processing',
  moveToArchive: 'Move to archive',
  notifyOnCompletion: 'Notify on completion',
};

/** The specification's words. */
export function saveFailed(error: Error): ToastRequest {
  const text = messageOf(error, 'Failed to update settings');
  return { title: 'Update Failed', text, tone: 'failure' };
}

export function numbersFailed(error: Error): ToastRequest {
  const text = `The settings were saved, but not the numbers of full auto. ${messageOf(error, 'Try again.')}`;
  return { title: 'Update Failed', text, tone: 'failure' };
}

/** In the order of the screen. */
export function changedNames(mine: Settings, theirs: Settings): (keyof Settings)[] {
  const names = Object.keys(settingLabels) as (keyof Settings)[];
  return names.filter((name) => mine[name] !== theirs[name]);
}

/** 'Every 30 minutes', 'Every hour', 'Every 2 hours'. */
export function frequencyWords(minutes: string): string {
  const count = Number(minutes);
  if (count < 60) return `Every ${count} minutes`;
  return count === 60 ? 'Every hour' : `Every ${count / 60} hours`;
}

type Mode = Settings['autoProcessMode'];

export const modeLabels: Record<Mode, string> = {
  manual: 'Manual',
  'validate-only': 'Validate only',
  'full-auto': 'Full auto',
};

/** Undefined `delayMinutes`: unknown. */
export function modeMeaning(mode: Mode, delayMinutes: number | undefined): string {
  if (mode === 'manual') return 'Every file waits for your review.';
  if (mode === 'validate-only') {
    return 'Files are checked. What is valid becomes ready, and waits for your push.';
  }
  const pushed = 'What is ready is pushed without a review. As drafts only, if the columns are sure, and';
  const read = 'the file was read and its look-ups ended';
  if (delayMinutes === 0) return `${pushed} as soon as ${read}.`;
  const delay = delayMinutes === undefined ? 'a few minutes' : countOf(delayMinutes, 'minute');
  return `${pushed} ${delay} after ${read}. You can stop it until then.`;
}

/** 'On', '50', 'Every hour'. */
export function valueWords(name: keyof Settings, value: Settings[keyof Settings]): string {
  if (typeof value === 'boolean') return value ? 'On' : 'Off';
  if (name === 'watchFrequency') return frequencyWords(String(value));
  if (name === 'autoProcessMode') return modeLabels[value as Mode];
  return value === '' ? 'Empty' : String(value);
}

/** In the order of the screen. */
export const differences = (mine: Settings, theirs: Settings): Difference[] =>
  changedNames(mine, theirs).map((name) => ({
    label: settingLabels[name],
    mine: valueWords(name, mine[name]),
    theirs: valueWords(name, theirs[name]),
  }));
