import {
  createSessionList,
  createStore,
  hasShape,
  isBoolean,
  isNumber,
  isText,
  isUndefinedOr,
} from '../../lib/storage.ts';

/** Number of notifications that are shown at a time. */
export const toastLimit = 1;
export const toastRemoveDelayMs = 1_000_000;
export const toastDurationMs = 5000;
export const toastSwipeThresholdPx = 50;
/** Long enough to read a notification and to reach its button View Report. */
export const reportDurationMs = 10_000;
/** Long enough to read a notification and to reach its button Undo. */
export const undoDurationMs = 10_000;

export type ToastLink = { words: string } & ({ to: string } | { report: string });

export type ToastRequest = {
  title: string;
  /** One sentence, or several, each on its own line. */
  text: string | readonly string[];
  /** `neutral`: nothing was done, or the operator has something left to do. */
  tone?: 'plain' | 'neutral' | 'failure';
  durationMs?: number;
  /** Whether the notification waits until the open one has closed. Set if no click caused the notification. */
  waits?: boolean;
  /** Whether the notification is only added to the list, because the screen already shows what it reports. */
  isKeptOnly?: boolean;
  /** Whether the notification reports routine work with its own history. It is announced politely and not listed. */
  isRoutine?: boolean;
  /** A link to a path, or to an import's report on the current screen. */
  link?: ToastLink;
  /** A button, which also closes the notification. */
  action?: { words: string; run: () => void };
};

export type ToastItem = ToastRequest & { id: number; open: boolean; waiting?: true };

/** Maximum number of waiting notifications; further ones are not shown. */
const waitingMax = 5;

export type ToastAction =
  | { kind: 'show'; id: number; toast: ToastRequest }
  | { kind: 'dismiss'; id: number }
  | { kind: 'remove'; id: number };

/** Adds, dismisses or removes a notification. A new one without `waits` replaces the one that is shown. */
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

export const noticesMax = 20;

/** An entry in the list of notifications that the bell opens. */
export type Notice = Pick<ToastRequest, 'title' | 'text' | 'tone' | 'link'> & {
  id: number;
  /** Time in ISO 8601. */
  at: string;
  /** Whether the notice may be unseen: no click caused it, no screen shows it, and the list was not opened since. */
  isNews: boolean;
};

const isLinked = (link: unknown): boolean =>
  hasShape<{ words: string; to: string }>({ words: isText, to: isText })(link) ||
  hasShape<{ words: string; report: string }>({ words: isText, report: isText })(link);

const isNotice = hasShape<Notice>({
  id: isNumber,
  at: (at) => isText(at) && !Number.isNaN(Date.parse(at)),
  title: isText,
  text: (text) => isText(text) || (Array.isArray(text) && text.every(isText)),
  tone: isUndefinedOr(isText),
  link: isUndefinedOr(isLinked),
  isNews: isBoolean,
});

/** Adds a notification to the list, without its button, and drops the oldest ones beyond the limit. */
export function addNotice(
  known: readonly Notice[],
  { title, text, tone, link, waits, isKeptOnly }: ToastRequest,
  { id, at }: Pick<Notice, 'id' | 'at'>,
): readonly Notice[] {
  const notice = {
    ...{ id, at, title, text, isNews: waits === true && isKeptOnly !== true },
    ...(tone === undefined ? {} : { tone }),
    ...(link === undefined ? {} : { link }),
  };
  return [notice, ...known].slice(0, noticesMax);
}

/** The notifications of this tab, newest first. They survive a reload. */
export const storedNotices = createSessionList('draftshelf-notices', isNotice);

export const markNoticesSeen = (): void =>
  storedNotices.set(storedNotices.get().map((notice) => ({ ...notice, isNews: false })));

/** The shown notification, waiting ones, and dismissed ones until they are removed. */
export const toasts = createStore<readonly ToastItem[]>([]);

const change = (action: ToastAction) => toasts.set(toastReducer(toasts.get(), action));

export function dismissToast(id: number): void {
  change({ kind: 'dismiss', id });
  setTimeout(() => change({ kind: 'remove', id }), toastRemoveDelayMs);
}

let nextId = (storedNotices.get()[0]?.id ?? 0) + 1;

/** Shows a notification and keeps it in the list. Returns a function that dismisses it. */
export function toast(request: ToastRequest): () => void {
  const id = nextId++;
  if (!request.isKeptOnly) change({ kind: 'show', id, toast: request });
  const at = new Date().toISOString();
  if (!request.isRoutine) storedNotices.set(addNotice(storedNotices.get(), request, { id, at }));
  return () => dismissToast(id);
}
