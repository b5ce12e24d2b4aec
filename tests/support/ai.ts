import {
  type Arrival,
  type Behavior,
  type Sentinel,
  sentinelWord,
} from '../../apps/simulators/ai/src/behavior.ts';
import { createAiSimulator } from '../../apps/simulators/ai/src/server.ts';
import type { ApiClient } from './api-client.ts';
import { csvOf, type Fixture, storedImport, until } from './fixture.ts';

/** The simulated AI service in the test's process, and control of it. */
export type TestAi = {
  /** Base address, with /v1. */
  url: string;
  /** Environment of processes that may ask it by an address that was entered. */
  env: Record<string, string>;
  behave(behavior: Behavior): Promise<void>;
  /** All calls, or those with a title that contains `text`. */
  journal(text?: string): Promise<Arrival[]>;
  close(): Promise<void>;
};

/** Starts the simulated AI service. */
export async function startAi(): Promise<TestAi> {
  const simulator = createAiSimulator();
  const url = await simulator.listen(0);
  const { origin } = new URL(url);
  return {
    url,
    env: { FETCH_ALLOW: origin, FETCH_PUBLIC: 'false' },
    async behave(behavior) {
      const headers = { 'content-type': 'application/json' };
      const options = { method: 'POST', headers, body: JSON.stringify(behavior) };
      const response = await fetch(`${origin}/__behavior`, options);
      if (!response.ok) throw new Error(`__behavior: ${response.status}`);
    },
    async journal(text) {
      const all = (await (await fetch(`${origin}/__journal`)).json()) as Arrival[];
      return text === undefined
        ? all
        : all.filter(({ titles }) => titles.some((title) => title.includes(text)));
    },
    close: () => simulator.close(),
  };
}

/** A title with the word that makes the simulated service behave in a special way. */
export const titled = (title: string, sentinel: Sentinel): string => `${title} ${sentinelWord(sentinel)}`;

/** Lines of products without a type, a brand or a description. */
export const bareProducts = (titles: readonly string[]): string =>
  csvOf([['Title', 'Price', 'SKU'], ...titles.map((title, at) => [title, '9.90', `A-${at + 1}`])]);

/** Imports a file and returns its id once it is in review. */
export async function importForAi(
  fixture: Pick<Fixture, 'database' | 'storage'>,
  csv: string,
  set: Parameters<typeof storedImport>[1]['set'] = {},
): Promise<string> {
  const { id } = await storedImport(fixture, { csv, set });
  await until('in review', async () => {
    const { rows } = await fixture.database.pool.query('select status from imports where id = $1', [id]);
    return rows[0]?.status === 'processed';
  });
  return id;
}

/** Steps of tests that ask through the api. */
export const aiSteps = (client: () => Pick<ApiClient, 'call'>) => {
  const read = async (id: string) => (await client().call('GET', `/api/queue/${id}/ai`)).body as AiOfImport;
  return {
    read,
    ask: (id: string, body: object = {}) =>
      client().call('POST', `/api/queue/${id}/ai`, {
        body: { scope: 'all', fields: ['description', 'type', 'vendor', 'tags'], ...body },
      }),
    stop: (id: string) => client().call('POST', `/api/queue/${id}/ai/stop`),
    /** Waits until an import's asking has ended, and returns what came of it. */
    ended: async (id: string) => {
      await until('asking has ended', async () =>
        ['done', 'stopped', 'off'].includes((await read(id)).state),
      );
      return read(id);
    },
  };
};

type AiOfImport = {
  state: string;
  reason: string | null;
  answered: number;
  failed: number;
  proposals: number;
  refused: Record<string, number>;
  requests: number;
  tokens: number;
  isAtMost: boolean;
  products: number;
  estimate: { products: number; tokens: number };
};
