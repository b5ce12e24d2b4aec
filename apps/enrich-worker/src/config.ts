import { WorkerEnv } from '@draftshelf/queues/worker-process';
import { type EnvSource, readEnv } from '@draftshelf/runtime/env';

/** Reads the worker's configuration; throws ConfigurationError with every problem. */
export const readConfig = (source: EnvSource) => readEnv(WorkerEnv, source);
