import { buildMeta } from '@draftshelf/contract/wire';

/** The build that this page is of; '' while it is developed. */
const own = () => document.querySelector<HTMLMetaElement>(`meta[name="${buildMeta}"]`)?.content ?? '';

let isOlder = false;
const listeners = new Set<() => void>();

/** Notes which build the server has, as it says with each reply. While it is upgraded, its processes have two. */
export function noteBuild(server: string | null): void {
  const build = server === null || typeof document === 'undefined' ? '' : own();
  if (build === '' || isOlder === (server !== build)) return;
  isOlder = !isOlder;
  for (const listener of listeners) listener();
}

/** Whether the server has another build than this page, so that its replies may have another shape. */
export const isOlderPage = (): boolean => isOlder;

/** Calls `listener` when that changes. Returns the function that ends it. */
export function onOlderPage(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
