/** The specification's constants of notifications (product-spec section 9). */
export const toastLimit = 1;
export const toastRemoveDelayMs = 1_000_000;
export const toastDurationMs = 5000;
export const toastSwipeThresholdPx = 50;
/** View Report stays longer (decision D19). */
export const reportDurationMs = 10_000;

export type ToastRequest = {
  title: string;
  /** One sentence, or one line each. */
  text: string | readonly string[];
  tone?: 'plain' | 'failure';
  durationMs?: number;
  /** Where to look further: an in-app path and its words. */
  link?: { to: string; words: string };
};

export type ToastItem = ToastRequest & { id: number; open: boolean };

export type ToastAction =
  | { kind: 'show'; id: number; toast: ToastRequest }
  | { kind: 'dismiss'; id: number }
  | { kind: 'remove'; id: number };

/** One notification at a time: a new one takes the place of the old one; a dismissed one is removed later. */
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
