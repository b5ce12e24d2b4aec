import { buildMeta } from '@draftshelf/contract/wire';

/** '' in development. */
const own = () => document.querySelector<HTMLMetaElement>(`meta[name="${buildMeta}"]`)?.content ?? '';

let isOlder = false;
const listeners = new Set<() => void>();

/** Each reply names the server's build. During an upgrade its processes have two. */
export function noteBuild(server: string | null): void {
  const build = server === null || typeof document === 'undefined' ? '' : own();
  if (build === '' || isOlder === (server !== build)) return;
  isOlder = !isOlder;
  for (const listener of listeners) listener();
}

/** The server has another build than this page, so its replies may have another shape. */
export const isOlderPage = (): boolean => isOlder;

export function onOlderPage(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
