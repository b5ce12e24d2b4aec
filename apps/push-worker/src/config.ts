import { type EnvSource, readEnv } from '@draftshelf/runtime/env';
import { envSchema } from '@draftshelf/runtime/env-catalog';
import { isCompleteStore, storeIncomplete, storeOf } from '@draftshelf/shopify/store-env';

const PushEnv = envSchema('push-worker').refine(isCompleteStore, {
  error: storeIncomplete,
  when: () => true,
});

export function readConfig(source: EnvSource) {
  const env = readEnv(PushEnv, source);
  return { ...env, store: storeOf(env) };
}
