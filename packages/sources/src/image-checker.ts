import { isAllowedHost } from '@draftshelf/domain/products/images';
import type { EnvOf } from '@draftshelf/runtime/env-catalog';
import { createGuardedFetch } from '@draftshelf/runtime/guarded-fetch';
import pLimit, { type LimitFunction } from 'p-limit';
import { checkImage, type ImageCheck } from './check-image.ts';
import { fetchedOrigins } from './sources-env.ts';

/** Result of checking a picture's address. */
export type CheckedPicture = ImageCheck & { url: string };

export type ImageChecker = {
  /** Checks one picture; null: it is not to be fetched. When `signal` aborts, the result says nothing. */
  check(url: string, signal?: AbortSignal): Promise<CheckedPicture | null>;
};

type CheckerEnv = EnvOf<'FETCH_ALLOW' | 'FETCH_PUBLIC' | 'DEMO_SOURCES_URL' | 'IMAGE_HOSTS'>;

/** Checks of a process at once. */
const checksAtOnce = 8;
/** A supplier's server, which did not ask for checks, gets few at once. */
const checksAtOncePerHost = 2;

/**
 * Checks pictures through the guarded fetch, at the addresses that the environment allows. `areSimulated`: whether the
 * sources are the simulated ones now.
 */
export function imageChecker(env: CheckerEnv, areSimulated: () => Promise<boolean>): ImageChecker {
  const hosts = env.IMAGE_HOSTS;
  const origins = fetchedOrigins(env);
  const fetch = createGuardedFetch({ allowedOrigins: origins.known, hosts });
  const limit = limitByHost(checksAtOncePerHost);
  // Within the limit of the host: checks that wait for a slow host take no place of others.
  const all = pLimit(checksAtOnce);
  return {
    async check(url, signal) {
      const isFetched =
        isAllowedHost({ kind: 'web', src: url }, hosts) && origins.isFetched(url, await areSimulated());
      if (!isFetched) return null;
      return limit(url, () => all(async () => ({ url, ...(await checkImage(fetch, url, signal)) })));
    },
  };
}

/** Runs work for an address once fewer than `atOnce` others of its host are running. */
export function limitByHost(atOnce: number): <T>(url: string, work: () => Promise<T>) => Promise<T> {
  const limits = new Map<string, LimitFunction>();
  return async (url, work) => {
    const { host } = new URL(url);
    const limit = limits.get(host) ?? pLimit(atOnce);
    limits.set(host, limit);
    try {
      return await limit(work);
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) limits.delete(host);
    }
  };
}
