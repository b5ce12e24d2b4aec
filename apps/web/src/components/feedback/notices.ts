import type { ToastRequest } from './toast-state.ts';

/** Notices that are kept for the list. */
export const noticesMax = 20;

/** A notification that was shown, or waits to be. */
export type Notice = Pick<ToastRequest, 'title' | 'text' | 'tone' | 'link'> & {
  id: number;
  at: string;
  /** It is no reply to a click, and no screen told it: nobody may have seen it. */
  isNews: boolean;
};

/** Adds a notification as the newest; the oldest beyond the limit is dropped. A button of it is not kept. */
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
