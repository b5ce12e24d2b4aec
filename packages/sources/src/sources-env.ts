import { type SourceName, sourceNames } from '@draftshelf/domain/enrich/sources';
import type { EnvOf } from '@draftshelf/runtime/env-catalog';
import type { Source } from './ask-source.ts';

type SourcesEnv = EnvOf<
  | 'UPCITEMDB_URL'
  | 'UPCITEMDB_KEY'
  | 'OPEN_PRODUCTS_FACTS_URL'
  | 'BARCODE_LOOKUP_URL'
  | 'BARCODE_LOOKUP_KEY'
  | 'DEMO_SOURCES_URL'
>;

type FetchEnv = EnvOf<'FETCH_ALLOW' | 'FETCH_PUBLIC' | 'DEMO_SOURCES_URL'>;

/** Decides which origins are fetched. Only `known` origins may be private, or be fetched for simulated sources. */
export function createOriginRules({ FETCH_ALLOW, FETCH_PUBLIC, DEMO_SOURCES_URL }: FetchEnv): {
  known: string[];
  isFetched(url: string, simulated: boolean): boolean;
} {
  const demo = DEMO_SOURCES_URL === undefined ? [] : [new URL(DEMO_SOURCES_URL).origin];
  return {
    known: [...FETCH_ALLOW, ...demo],
    isFetched(url, simulated) {
      const { origin } = new URL(url);
      if (FETCH_ALLOW.includes(origin)) return true;
      return simulated ? demo.includes(origin) : FETCH_PUBLIC && !demo.includes(origin);
    },
  };
}

export type SourceSets = {
  real: Record<SourceName, Source>;
  simulated: Record<SourceName, Source> | null;
};

/** Returns the sources that the environment configures. */
export function createSourceSets(env: SourcesEnv): SourceSets {
  const real = realSources(env);
  const baseUrl = env.DEMO_SOURCES_URL;
  if (baseUrl === undefined) return { real, simulated: null };
  const simulated = { ...real };
  for (const name of sourceNames) {
    simulated[name] = { ...real[name], baseUrl, key: real[name].needsKey ? 'simulated' : null };
  }
  return { real, simulated };
}

/** Returns the real sources with the documented quotas of free plans. Quotas of paid plans are set on the screen. */
const realSources = (env: SourcesEnv): SourceSets['real'] => ({
  upcitemdb: {
    name: 'upcitemdb',
    ...{ baseUrl: env.UPCITEMDB_URL, key: env.UPCITEMDB_KEY ?? null, needsKey: false },
    windows: { perWindow: 6, windowMs: 60_000, perDay: 100, dayMs: 86_400_000 },
  },
  'open-products-facts': {
    name: 'open-products-facts',
    ...{ baseUrl: env.OPEN_PRODUCTS_FACTS_URL, key: null, needsKey: false },
    windows: { perWindow: 15, windowMs: 60_000, perDay: 10_000, dayMs: 86_400_000 },
  },
  'barcode-lookup': {
    name: 'barcode-lookup',
    ...{ baseUrl: env.BARCODE_LOOKUP_URL, key: env.BARCODE_LOOKUP_KEY ?? null, needsKey: true },
    windows: { perWindow: 50, windowMs: 60_000, perDay: 150, dayMs: 86_400_000 },
  },
});
