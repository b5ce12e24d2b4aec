import { buildMeta } from '@draftshelf/contract/wire';
import { createStore } from './storage.ts';

/** '' in development. */
const own = () => document.querySelector<HTMLMetaElement>(`meta[name="${buildMeta}"]`)?.content ?? '';

const isOlder = createStore(false);

/** Each reply names the server's build. During an upgrade its processes have two. */
export function noteBuild(server: string | null): void {
  const build = server === null || typeof document === 'undefined' ? '' : own();
  if (build !== '' && isOlder.get() === (server === build)) isOlder.set(!isOlder.get());
}

/** The server has another build than this page, so its replies may have another shape. */
export const useIsOlderPage = isOlder.use;
