import { type ConfiguredSource, registerSources } from '@draftshelf/core/enrich/sources';
import { sourceNames } from '@draftshelf/domain/enrich/sources';
import { readEnv } from '@draftshelf/runtime/env';
import { createEnvSchema } from '@draftshelf/runtime/env-catalog';
import type { Arrival, Behavior, SimulatedName } from '../../apps/simulators/sources/src/behavior.ts';
import { createSourceSimulator } from '../../apps/simulators/sources/src/server.ts';
import type { Fixture } from './fixture.ts';

/** The simulated sources in the test's process, and control of them. */
export type TestSources = {
  url: string;
  /** Environment of workers and the api that use them. */
  env: Record<string, string>;
  know(
    products: readonly {
      gtin: string;
      title: string;
      brand?: string;
      category?: string;
      pictures?: string[];
    }[],
  ): Promise<void>;
  behave(source: SimulatedName, behavior: Partial<Behavior>): Promise<void>;
  journal(): Promise<Arrival[]>;
  /** Stores the sources in a database; those of `on` are switched on. */
  register(
    fixture: Pick<Fixture, 'database'>,
    on: readonly SimulatedName[],
    windows?: Partial<Pick<ConfiguredSource, 'per_window' | 'window_ms' | 'per_day' | 'day_ms'>>,
  ): Promise<unknown>;
  close(): Promise<void>;
};

/** Starts the simulated sources. */
export async function startSources(): Promise<TestSources> {
  const simulator = createSourceSimulator();
  const url = await simulator.listen(0);
  const post = async (path: string, body: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
  };
  return {
    url,
    env: {
      UPCITEMDB_URL: url,
      OPEN_PRODUCTS_FACTS_URL: url,
      BARCODE_LOOKUP_URL: url,
      FETCH_ALLOW: url,
      FETCH_PUBLIC: 'false',
    },
    know: (products) => post('/__products', products),
    behave: (source, behavior) => post('/__behavior', { source, behavior }),
    journal: async () => (await fetch(`${url}/__journal`)).json() as Promise<Arrival[]>,
    register: ({ database }, on, windows = {}) =>
      registerSources(
        database.db,
        sourceNames.map((name) => ({
          ...{ name, base_url: url, enabled: on.includes(name), simulated: false },
          ...{ per_window: 10_000, window_ms: 60_000, per_day: 100_000, day_ms: 86_400_000 },
          ...windows,
        })),
      ),
    close: () => simulator.close(),
  };
}

/** The configuration of sources for an environment. */
export const readSourcesEnv = (env: Record<string, string>) =>
  readEnv(createEnvSchema('enrich-worker').omit({ DATABASE_URL: true }), env);

/** A valid GTIN of 14 digits for a number. */
export function gtinOf(number: number): string {
  const body = String(number).padStart(13, '0');
  const sum = [...body].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}
