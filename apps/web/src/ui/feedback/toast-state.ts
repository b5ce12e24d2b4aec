/** The specification's constants for notifications. */
export const toastLimit = 1;
export const toastRemoveDelayMs = 1_000_000;
export const toastDurationMs = 5000;
export const toastSwipeThresholdPx = 50;
/** The specification shows View Report for 10 seconds. */
export const reportDurationMs = 10_000;
/** Time to read a notification and to reach its Undo. */
export const undoDurationMs = 10_000;

export type ToastLink = { words: string } & ({ to: string } | { report: string });

export type ToastRequest = {
  title: string;
  /** One sentence, or one line each. */
  text: string | readonly string[];
  /** `neutral`: nothing was done, or what was done leaves something to do. */
  tone?: 'plain' | 'neutral' | 'failure';
  durationMs?: number;
  /** Not the reply to a click, so it waits until the open notification has closed. */
  waits?: boolean;
  /** The screen tells it itself, so it is only kept in the list of notifications. */
  isKeptOnly?: boolean;
  /** The reply to routine work that has a history of its own: announced politely, and not kept in the list. */
  isRoutine?: boolean;
  /** A link within the app and its text: to a path, or to the report of an import on the screen that is shown then. */
  link?: ToastLink;
  /** A button, which also closes the notification. */
  action?: { words: string; run: () => void };
};

export type ToastItem = ToastRequest & { id: number; open: boolean; waiting?: true };

/** Notifications that wait; further ones are not shown. */
const waitingMax = 5;

export type ToastAction =
  | { kind: 'show'; id: number; toast: ToastRequest }
  | { kind: 'dismiss'; id: number }
  | { kind: 'remove'; id: number };

/**
 * Shows one notification at a time. A new one replaces the old one, unless it waits for it to close; a dismissed one is
 * removed later.
 */
export function toastReducer(items: readonly ToastItem[], action: ToastAction): readonly ToastItem[] {
  switch (action.kind) {
    case 'show': {
      const waiting = items.filter((item) => item.waiting);
      if (action.toast.waits && items.some(({ open }) => open)) {
        if (waiting.length >= waitingMax) return items;
        return [...items, { ...action.toast, id: action.id, open: false, waiting: true }];
      }
      const shown = items.filter((item) => !item.waiting);
      return [{ ...action.toast, id: action.id, open: true }, ...shown].slice(0, toastLimit).concat(waiting);
    }
    case 'dismiss': {
      const left = items.map((item) => (item.id === action.id ? { ...item, open: false } : item));
      const next = left.find((item) => item.waiting);
      if (next === undefined || left.some(({ open }) => open)) return left;
      const { waiting: _, ...opened } = next;
      return [{ ...opened, open: true }, ...left.filter((item) => item !== next)];
    }
    case 'remove':
      return items.filter((item) => item.id !== action.id);
  }
}
