import { type AccessEnv, findAccessKeyProblem } from '@draftshelf/runtime/access-key';
import { type AiEnv, findAiEnvProblem } from '@draftshelf/runtime/ai-env';
import { type EnvSource, readEnv } from '@draftshelf/runtime/env';
import { createEnvSchema } from '@draftshelf/runtime/env-catalog';
import type { Store } from '@draftshelf/shopify/client';
import { isCompleteStoreEnv, readStoreEnv, storeIncompleteMessage } from '@draftshelf/shopify/store-env';
import type { z } from 'zod';

const ApiEnv = createEnvSchema('api')
  .refine((env) => findAccessKeyProblem(env) === null, {
    error: ({ input }) => findAccessKeyProblem(input as AccessEnv),
    when: () => true,
  })
  .refine((env) => findAiEnvProblem(env) === null, {
    error: ({ input }) => findAiEnvProblem(input as AiEnv),
    when: () => true,
  })
  .refine(isCompleteStoreEnv, { error: storeIncompleteMessage, when: () => true });

export type ApiConfig = Omit<z.infer<typeof ApiEnv>, 'PUBLIC_URL'> & {
  PUBLIC_URL: string;
  store: Store | null;
};

export function readConfig(source: EnvSource): ApiConfig {
  const env = readEnv(ApiEnv, source);
  return { ...env, store: readStoreEnv(env), PUBLIC_URL: env.PUBLIC_URL ?? `http://localhost:${env.PORT}` };
}
