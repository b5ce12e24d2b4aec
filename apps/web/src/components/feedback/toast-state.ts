/** The specification's constants for notifications. */
export const toastLimit = 1;
export const toastRemoveDelayMs = 1_000_000;
export const toastDurationMs = 5000;
export const toastSwipeThresholdPx = 50;
/** The specification shows View Report for 10 seconds. */
export const reportDurationMs = 10_000;

export type ToastRequest = {
  title: string;
  /** One sentence, or one line each. */
  text: string | readonly string[];
  tone?: 'plain' | 'failure';
  durationMs?: number;
  /** An in-app link and its text. */
  link?: { to: string; words: string };
};

export type ToastItem = ToastRequest & { id: number; open: boolean };

export type ToastAction =
  | { kind: 'show'; id: number; toast: ToastRequest }
  | { kind: 'dismiss'; id: number }
  | { kind: 'remove'; id: number };

/** Shows one notification at a time. A new one replaces the old one; a dismissed one is removed later. */
export function toastReducer(items: readonly ToastItem[], action: ToastAction): readonly ToastItem[] {
  switch (action.kind) {
    case 'show':
      return [{ ...action.toast, id: action.id, open: true }, ...items].slice(0, toastLimit);
    case 'dismiss':
      return items.map((item) => (item.id === action.id ? { ...item, open: false } : item));
    case 'remove':
      return items.filter((item) => item.id !== action.id);
  }
}
