import { buildMeta } from '@draftshelf/contract/wire';
import { createStore } from './storage.ts';

/** This page's build; '' in development. */
const own = () => document.querySelector<HTMLMetaElement>(`meta[name="${buildMeta}"]`)?.content ?? '';

const isOlder = createStore(false);

/** Notes the build that the server names in each reply. During an upgrade the server has two. */
export function noteBuild(server: string | null): void {
  const build = server === null || typeof document === 'undefined' ? '' : own();
  if (build !== '' && isOlder.get() === (server === build)) isOlder.set(!isOlder.get());
}

/** Whether the server has another build than this page, so that its replies may have another shape. */
export const useIsOlderPage = isOlder.use;
