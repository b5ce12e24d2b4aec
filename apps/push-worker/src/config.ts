import { type EnvSource, readEnv } from '@draftshelf/runtime/env';
import { createEnvSchema } from '@draftshelf/runtime/env-catalog';
import { isCompleteStoreEnv, readStoreEnv, storeIncompleteMessage } from '@draftshelf/shopify/store-env';

const PushEnv = createEnvSchema('push-worker').refine(isCompleteStoreEnv, {
  error: storeIncompleteMessage,
  when: () => true,
});

export function readConfig(source: EnvSource) {
  const env = readEnv(PushEnv, source);
  return { ...env, store: readStoreEnv(env) };
}
