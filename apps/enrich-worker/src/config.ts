import { type AiEnv, aiProblem } from '@draftshelf/runtime/ai-env';
import { type EnvSource, readEnv } from '@draftshelf/runtime/env';
import { envSchema } from '@draftshelf/runtime/env-catalog';

const EnrichEnv = envSchema('enrich-worker').refine((env) => aiProblem(env) === null, {
  error: ({ input }) => aiProblem(input as AiEnv),
  when: () => true,
});

/** Reads the worker's configuration; throws ConfigurationError with every problem. */
export const readConfig = (source: EnvSource) => readEnv(EnrichEnv, source);
