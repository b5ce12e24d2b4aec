import { type EnvSource, readEnv } from '@draftshelf/runtime/env';
import { envSchema } from '@draftshelf/runtime/env-catalog';

const EnrichEnv = envSchema('enrich-worker');

/** Reads the worker's configuration; throws ConfigurationError with every problem. */
export const readConfig = (source: EnvSource) => readEnv(EnrichEnv, source);
