import { expect, it } from 'vitest';
import {
  type AiServiceEnv,
  createAiServiceFinder,
  findAddressRefusal,
  type SavedAiSettings,
} from './current-service.ts';

const env = (over: Partial<AiServiceEnv> = {}): AiServiceEnv => ({
  FETCH_ALLOW: [],
  FETCH_PUBLIC: true,
  ...over,
});
const saved = (
  over: { baseUrl?: string; key?: { key: string; origin: string }; isReal?: boolean } = {},
): SavedAiSettings => ({
  address: async () => ({ baseUrl: over.baseUrl ?? null, model: over.baseUrl ? 'saved-model' : null }),
  key: async () => over.key ?? null,
  hasRealStore: async () => over.isReal ?? false,
});
const key = { key: 'k', origin: 'https://ai.example' };
const demo = { DEMO_AI_URL: 'http://127.0.0.1:4040/v1' };

it('the service of the environment comes first, with its own key and address', async () => {
  const set = { AI_BASE_URL: 'http://localhost:11434/v1', AI_MODEL: 'small' };
  const found = await createAiServiceFinder(
    env({ ...set, ...demo }),
    saved({ baseUrl: 'https://ai.example/v1', key }),
  ).find();
  expect(found).toMatchObject({ source: 'environment', model: 'small', key: null });
  expect(found?.allowedOrigins).toEqual(['http://localhost:11434']);
});

it('a saved key is sent only to the origin that it was entered for', async () => {
  const of = async (baseUrl: string) =>
    (await createAiServiceFinder(env(demo), saved({ baseUrl, key })).find())?.key;
  expect(await of('https://ai.example/v2')).toBe('k');
  expect(await of('https://other.example/v1')).toBeNull();
});

it('the simulated service yields to a real store, and to none', async () => {
  expect(await createAiServiceFinder(env(demo), saved()).find()).toMatchObject({ source: 'simulated' });
  expect(await createAiServiceFinder(env(demo), saved({ isReal: true })).find()).toBeNull();
  expect(await createAiServiceFinder(env(), saved()).find()).toBeNull();
});

it.each([
  ['http://ai.example/v1', 'https://'],
  ['https://127.0.0.1/v1', 'public internet'],
  ['https://metadata.internal/v1', 'public internet'],
  ['https://user:pass@ai.example/v1', 'user name'],
  ['https://ai.example/v1?key=1', 'end with its path'],
  ['file:///etc/passwd', 'https://'],
  ['nonsense', 'valid URL'],
])('%s is not taken from a browser', (url, reason) => {
  expect(findAddressRefusal(url, env())).toContain(reason);
});

it('an origin that the server allows is taken, and a public one with https', () => {
  expect(findAddressRefusal('https://ai.example/v1', env())).toBeNull();
  const allowed = env({ FETCH_ALLOW: ['http://10.0.0.7:8080'], FETCH_PUBLIC: false });
  expect(findAddressRefusal('http://10.0.0.7:8080/v1', allowed)).toBeNull();
  expect(findAddressRefusal('https://ai.example/v1', allowed)).toContain('FETCH_PUBLIC');
});
