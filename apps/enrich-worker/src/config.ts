import { WorkerEnv } from '@draftshelf/queues/worker-process';
import { type EnvSource, readEnv, SealingEnv } from '@draftshelf/runtime/env';
import { SourcesEnv } from '@draftshelf/sources/sources-env';

const EnrichEnv = WorkerEnv.extend(SourcesEnv.shape).extend(SealingEnv.shape);

/** Reads the worker's configuration; throws ConfigurationError with every problem. */
export const readConfig = (source: EnvSource) => readEnv(EnrichEnv, source);
