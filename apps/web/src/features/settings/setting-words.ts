import type { Settings } from '@draftshelf/domain/access/settings';
import { messageOf } from '../../api/call.ts';
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
