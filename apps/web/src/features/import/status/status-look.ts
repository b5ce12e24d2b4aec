import type { BeforePush } from '@draftshelf/contract/imports/before-push';
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconBan,
  IconCheck,
  IconCircleCheck,
  IconCloudUpload,
  IconEye,
  IconHelpCircle,
  IconPlayerPause,
  IconProgress,
  IconX,
} from '@tabler/icons-react';
import { formatCount } from '../../../lib/intl.ts';
import type { ShownImport } from '../imports-api.ts';

export type Look = {
  icon: typeof IconCheck;
  color: string;
  variant: 'light' | 'outline';
};

/** The words come from the domain's `statusLabel`. */
const statusLooks: Record<string, Look> = {
  processing: { icon: IconProgress, color: 'blue', variant: 'light' },
  queued: { icon: IconEye, color: 'yellow', variant: 'light' },
  processed: { icon: IconCircleCheck, color: 'green', variant: 'outline' },
  uploading: { icon: IconCloudUpload, color: 'blue', variant: 'light' },
  completed: { icon: IconCheck, color: 'green', variant: 'light' },
  failed: { icon: IconAlertTriangle, color: 'red', variant: 'light' },
  paused: { icon: IconPlayerPause, color: 'gray', variant: 'light' },
  cancelled: { icon: IconBan, color: 'gray', variant: 'light' },
};

const unknownLook: Look = { icon: IconHelpCircle, color: 'gray', variant: 'outline' };

export function statusLook(status: string): Look {
  return Object.hasOwn(statusLooks, status) ? (statusLooks[status] ?? unknownLook) : unknownLook;
}

export const completedWithLosses: Look = { icon: IconAlertTriangle, color: 'yellow', variant: 'light' };

export const questionLook: Look = { icon: IconHelpCircle, color: 'yellow', variant: 'light' };

export const undoLook: Look = { icon: IconArrowBackUp, color: 'blue', variant: 'light' };

/** Follows the specification's title and price rule. */
export const rowClassLooks = {
  valid: { icon: IconCheck, color: 'green', variant: 'light' },
  warning: { icon: IconAlertTriangle, color: 'yellow', variant: 'light' },
  error: { icon: IconX, color: 'red', variant: 'light' },
} as const satisfies Record<string, Look>;

export const outcomeLooks = {
  created: { icon: IconCheck, color: 'green', variant: 'light' },
  updated: { icon: IconCheck, color: 'green', variant: 'light' },
  unchanged: { icon: IconCircleCheck, color: 'gray', variant: 'light' },
  skipped: { icon: IconBan, color: 'yellow', variant: 'light' },
  failed: { icon: IconAlertTriangle, color: 'red', variant: 'light' },
} as const satisfies Record<string, Look>;
export const undoneLook: Look = { icon: IconArrowBackUp, color: 'gray', variant: 'light' };

/** `changed`: rows that differ from the supplier's earlier list; absent: not compared. */
export type PushScope = NonNullable<BeforePush['scope']> & { changed?: number };

/** '34 of 40', or '40' if a push sends all. A compared list without a plan has '12 changed'. */
export function scopeWords({ sent, of, changed = of }: PushScope): string {
  if (sent === of && changed < of) return `${formatCount(changed)} changed`;
  return sent === of ? formatCount(sent) : `${formatCount(sent)} of ${formatCount(of)}`;
}

type Cancelled = Pick<ShownImport, 'rereading' | 'isUndoing' | 'changesGone'>;

/** During a re-read or undo, only that is cancelled. */
export function cancelLabel({ rereading, isUndoing, changesGone }: Cancelled): string {
  if (changesGone) return 'Cancel Changes';
  if (isUndoing) return 'Cancel Undo';
  return rereading === null ? 'Cancel Import' : 'Cancel Re-read';
}
