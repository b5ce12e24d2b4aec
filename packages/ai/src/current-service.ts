import { checkUrl } from '@draftshelf/domain/base/web-address';
import type { EnvOf } from '@draftshelf/runtime/env-catalog';
import type { AiEndpoint } from './client.ts';

export type AiServiceEnv = EnvOf<
  'AI_BASE_URL' | 'AI_API_KEY' | 'AI_MODEL' | 'DEMO_AI_URL' | 'FETCH_ALLOW' | 'FETCH_PUBLIC'
>;

/** Reads the saved settings. The SQL is in packages/core. `origin` is the origin for which the key was entered. */
export type SavedAiSettings = {
  address(): Promise<{ baseUrl: string | null; model: string | null }>;
  key(): Promise<{ key: string; origin: string } | null>;
  hasRealStore(): Promise<boolean>;
};

export type AiService = AiEndpoint & { source: 'environment' | 'saved' | 'simulated' };

const simulatedModel = 'strict';

/** `find` returns null if no service is set. */
export type AiServiceFinder = { find(): Promise<AiService | null> };

/** Finds the service in the environment, else the saved one, else the simulated one unless a real store is used. */
export function createAiServiceFinder(env: AiServiceEnv, saved: SavedAiSettings): AiServiceFinder {
  return {
    async find() {
      if (env.AI_BASE_URL !== undefined && env.AI_MODEL !== undefined) {
        const key = env.AI_API_KEY ?? null;
        const allowedOrigins = [...env.FETCH_ALLOW, new URL(env.AI_BASE_URL).origin];
        return { source: 'environment', baseUrl: env.AI_BASE_URL, model: env.AI_MODEL, key, allowedOrigins };
      }
      const { baseUrl, model } = await saved.address();
      if (baseUrl !== null && model !== null) {
        if (findAddressRefusal(baseUrl, env) !== null) return null;
        const entered = await saved.key();
        // A key is sent only to the origin for which it was entered.
        const key = entered?.origin === new URL(baseUrl).origin ? entered.key : null;
        return { source: 'saved', baseUrl, model, key, allowedOrigins: env.FETCH_ALLOW };
      }
      const demo = env.DEMO_AI_URL;
      if (demo === undefined || (await saved.hasRealStore())) return null;
      const address = { baseUrl: demo, model: simulatedModel, key: null };
      return { source: 'simulated', ...address, allowedOrigins: [new URL(demo).origin] };
    },
  };
}

/** Returns a refusal as a sentence, or null if the address is public and encrypted or its origin is allowed. */
export function findAddressRefusal(
  baseUrl: string,
  env: Pick<AiServiceEnv, 'FETCH_ALLOW' | 'FETCH_PUBLIC'>,
): string | null {
  if (!URL.canParse(baseUrl)) return 'The address is not a valid URL.';
  const url = new URL(baseUrl);
  if (url.username !== '' || url.password !== '') return 'The address contains a user name or password.';
  if (url.search !== '' || url.hash !== '')
    return 'The address must end with its path, like https://api.openai.com/v1.';
  if (env.FETCH_ALLOW.includes(url.origin)) return null;
  if (!env.FETCH_PUBLIC) return 'This server calls nothing on the public internet (FETCH_PUBLIC).';
  if (url.protocol !== 'https:') {
    return 'The address must begin with https://. The server’s AI_BASE_URL or FETCH_ALLOW can name others.';
  }
  const refusal = checkUrl(url);
  return refusal && `${refusal} The server’s AI_BASE_URL or FETCH_ALLOW can name it.`;
}
