import { buildMeta } from '@draftshelf/contract/wire';
import { createStore } from './storage.ts';

/** This page's build; '' in development. */
const own = () => document.querySelector<HTMLMetaElement>(`meta[name="${buildMeta}"]`)?.content ?? '';

const isOlder = createStore(false);

/** Compares a reply's build with this page's. During an upgrade, old and new servers reply, each with its own build. */
export function noteServerBuild(server: string | null): void {
  const build = server === null || typeof document === 'undefined' ? '' : own();
  if (build !== '' && isOlder.get() === (server === build)) isOlder.set(!isOlder.get());
}

/** Whether the server has another build than this page, so that its replies may have another shape. */
export const useIsOtherBuild = isOlder.use;
