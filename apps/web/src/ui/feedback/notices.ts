import { hasShape, isFlag, isNumber, isText, orNone, sessionList } from '../../lib/storage.ts';
import type { ToastRequest } from './toast-state.ts';

export const noticesMax = 20;

/** Shown, or waiting to be. */
export type Notice = {
  id: number;
  /** ISO 8601. */
  at: string;
  title: string;
  text: string | readonly string[];
  tone?: ToastRequest['tone'] | undefined;
  link?: { words: string; to: string } | { words: string; report: string } | undefined;
  /** Possibly unseen: no reply to a click, not reported by a screen, and the list was not opened since. */
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
  tone: orNone(isText),
  link: orNone(isLinked),
  isNews: isFlag,
});

/** Drops the oldest beyond the limit. Its button is not kept. */
export function keptNotices(
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

/** The newest first, including those from before a reload. */
export const storedNotices = sessionList('draftshelf-notices', isNotice);

export const seeNotices = (): void =>
  storedNotices.set(storedNotices.get().map((notice) => ({ ...notice, isNews: false })));
