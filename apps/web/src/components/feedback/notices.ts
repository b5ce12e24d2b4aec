import { z } from 'zod';
import { sessionList } from '../../lib/session-list.ts';
import type { ToastRequest } from './toast-state.ts';

/** Notices that are kept for the list. */
export const noticesMax = 20;

const Link = { words: z.string() };

const Notice = z.object({
  id: z.number().int(),
  at: z.iso.datetime(),
  title: z.string(),
  text: z.union([z.string(), z.array(z.string()).readonly()]),
  tone: z.enum(['plain', 'failure']).optional(),
  link: z
    .union([z.object({ ...Link, to: z.string() }), z.object({ ...Link, report: z.string() })])
    .optional(),
  /** It is no reply to a click, no screen told it, and the list was not opened since: nobody may have seen it. */
  isNews: z.boolean(),
});
/** A notification that was shown, or waits to be. */
export type Notice = z.infer<typeof Notice>;

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

/** The notifications of this tab, also those before it was reloaded. */
export const storedNotices = sessionList('draftshelf-notices', z.array(Notice).max(noticesMax));
