import type { EnvOf } from './env-catalog.ts';

export type AiEnv = EnvOf<'AI_BASE_URL' | 'AI_API_KEY' | 'AI_MODEL'>;

/** Returns why the AI variables do not fit together, or null if they do. */
export function findAiEnvProblem({
  AI_BASE_URL: url,
  AI_API_KEY: key,
  AI_MODEL: model,
}: AiEnv): string | null {
  if (url !== undefined) {
    return model === undefined ? 'AI_MODEL must be set too: the service at AI_BASE_URL needs a model' : null;
  }
  // Key and model need AI_BASE_URL: a key from the environment is never sent to an address entered in a browser.
  const set = [key === undefined ? [] : ['AI_API_KEY'], model === undefined ? [] : ['AI_MODEL']].flat();
  return set.length === 0 ? null : `AI_BASE_URL must be set too, for ${set.join(' and ')}`;
}
