import { type EnvSource, readEnv } from '@draftshelf/runtime/env';
import { createEnvSchema } from '@draftshelf/runtime/env-catalog';
import { expect, it } from 'vitest';
import { createOriginRules, createSourceSets } from './sources-env.ts';

/** The configuration of an enrich worker without a database. */
const read = (source: EnvSource) =>
  readEnv(createEnvSchema('enrich-worker').omit({ DATABASE_URL: true }), source);

const demo = 'http://127.0.0.1:4010';

it('there are real sources, and simulated ones only with their address', () => {
  expect(createSourceSets(read({})).simulated).toBeNull();
  const { real, simulated } = createSourceSets(read({ DEMO_SOURCES_URL: demo, BARCODE_LOOKUP_KEY: 'real' }));
  expect(real['barcode-lookup']).toMatchObject({ baseUrl: 'https://api.barcodelookup.com', key: 'real' });
  expect(simulated?.['barcode-lookup']).toMatchObject({ baseUrl: demo, key: 'simulated' });
  expect(simulated?.upcitemdb).toMatchObject({ baseUrl: demo, key: null });
});

it.each([
  ['https://pictures.example/1.png', { simulated: false, real: true }],
  [`${demo}/pictures/1.png`, { simulated: true, real: false }],
  ['http://10.0.0.7:8080/1.png', { simulated: true, real: true }],
])('%s is fetched while the sources are simulated or real: %j', (url, fetched) => {
  const env = { DEMO_SOURCES_URL: demo, FETCH_ALLOW: 'http://10.0.0.7:8080' };
  const { isFetched } = createOriginRules(read(env));
  expect({ simulated: isFetched(url, true), real: isFetched(url, false) }).toEqual(fetched);
});

it('nothing public is fetched with FETCH_PUBLIC=false', () => {
  const { isFetched } = createOriginRules(read({ FETCH_PUBLIC: 'false' }));
  expect(isFetched('https://pictures.example/1.png', false)).toBe(false);
});
