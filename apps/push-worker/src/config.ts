import { WorkerEnv } from '@draftshelf/queues/worker-process';
import { type EnvSource, Hosts, readEnv, SealingEnv } from '@draftshelf/runtime/env';
import { isCompleteStore, StoreEnv, storeIncomplete, storeOf } from '@draftshelf/shopify/store-env';

const PushEnv = WorkerEnv.extend(StoreEnv.shape)
  .extend(SealingEnv.shape)
  .extend({ IMAGE_HOSTS: Hosts.default([]) })
  .refine(isCompleteStore, { error: storeIncomplete, when: () => true });

/** Reads the worker's configuration; throws ConfigurationError with every problem. */
export function readConfig(source: EnvSource) {
  const env = readEnv(PushEnv, source);
  return { ...env, store: storeOf(env) };
}
