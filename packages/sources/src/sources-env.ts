import { type SourceName, sourceNames } from '@draftshelf/domain/sources';
import { Hosts } from '@draftshelf/runtime/env';
import { z } from 'zod';
import type { Source } from './ask-source.ts';
import type { QuotaWindows } from './source.ts';

const address = z
  .string()
  .refine(
    (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
    'expected an address like https://api.example.com',
  );
const url = (usual: string) => address.default(usual);
const secret = z.string().min(1, 'expected a secret').optional();
const list = (expected: string, isValid: (text: string) => boolean) =>
  z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== ''),
    )
    .refine((all) => all.every(isValid), expected);

/** The environment variables for sources, pictures and the guarded fetch. */
export const SourcesEnv = z.object({
  UPCITEMDB_URL: url('https://api.upcitemdb.com'),
  UPCITEMDB_KEY: secret,
  OPEN_PRODUCTS_FACTS_URL: url('https://world.openproductsfacts.org'),
  BARCODE_LOOKUP_URL: url('https://api.barcodelookup.com'),
  BARCODE_LOOKUP_KEY: secret,
  /** Whom a source can reach about our requests; Open Products Facts asks for it. */
  SOURCES_CONTACT: z.string().min(1, 'expected text').default('no contact given'),
  /** The simulated sources of `npm start`, which are asked only while nothing real is set. */
  DEMO_SOURCES_URL: address.optional(),
  /** Sources that are on when they are stored for the first time. */
  SOURCES_ON: list(`expected names out of ${sourceNames.join(', ')}, separated by commas`, (name) =>
    (sourceNames as readonly string[]).includes(name),
  ).default([]),
  /** Origins that are fetched although they are not on the public internet. */
  FETCH_ALLOW: list('expected origins like http://127.0.0.1:4010, separated by commas', (text) =>
    URL.canParse(text) ? new URL(text).origin === text : false,
  ).default([]),
  /** Whether addresses on the public internet are fetched. While the simulated sources are asked they are not. */
  FETCH_PUBLIC: z
    .enum(['true', 'false'], { error: 'expected true or false' })
    .default('true')
    .transform((text) => text === 'true'),
  /** The hosts that pictures may be on; none named: any. */
  IMAGE_HOSTS: Hosts.default([]),
});
export type SourcesConfig = z.infer<typeof SourcesEnv>;

/**
 * Which addresses are fetched: while the sources are simulated, their own and those that the operator allows; else what
 * FETCH_PUBLIC says. `known`: origins that need not be on the public internet.
 */
export function fetchedOrigins({ FETCH_ALLOW, FETCH_PUBLIC, DEMO_SOURCES_URL }: SourcesConfig): {
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

/** Quotas of the free plans as documented. Those of a paid plan are set on the screen. */
const windows: Record<SourceName, QuotaWindows> = {
  upcitemdb: { perWindow: 6, windowMs: 60_000, perDay: 100, dayMs: 86_400_000 },
  'open-products-facts': { perWindow: 15, windowMs: 60_000, perDay: 10_000, dayMs: 86_400_000 },
  'barcode-lookup': { perWindow: 50, windowMs: 60_000, perDay: 150, dayMs: 86_400_000 },
};

/** The sources by name: the real ones, and the simulated ones, if there are any. */
export type SourceSets = {
  real: Record<SourceName, Source>;
  simulated: Record<SourceName, Source> | null;
};

/** The sources that the environment configures. */
export function sourceSetsOf(env: SourcesConfig): SourceSets {
  const real = sourcesByName(env);
  if (env.DEMO_SOURCES_URL === undefined) return { real, simulated: null };
  const baseUrl = env.DEMO_SOURCES_URL;
  const simulated = sourceNames.map((name): [SourceName, Source] => [
    name,
    { ...real[name], baseUrl, key: real[name].needsKey ? 'simulated' : null },
  ]);
  return { real, simulated: Object.fromEntries(simulated) as Record<SourceName, Source> };
}

function sourcesByName(env: SourcesConfig): Record<SourceName, Source> {
  const at: Record<SourceName, Pick<Source, 'baseUrl' | 'key' | 'needsKey'>> = {
    upcitemdb: { baseUrl: env.UPCITEMDB_URL, key: env.UPCITEMDB_KEY ?? null, needsKey: false },
    'open-products-facts': { baseUrl: env.OPEN_PRODUCTS_FACTS_URL, key: null, needsKey: false },
    'barcode-lookup': {
      baseUrl: env.BARCODE_LOOKUP_URL,
      key: env.BARCODE_LOOKUP_KEY ?? null,
      needsKey: true,
    },
  };
  const all = sourceNames.map((name): [SourceName, Source] => [
    name,
    { name, ...at[name], windows: windows[name] },
  ]);
  return Object.fromEntries(all) as Record<SourceName, Source>;
}
