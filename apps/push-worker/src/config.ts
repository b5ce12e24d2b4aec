import { WorkerEnv } from '@draftshelf/queues/worker-process';
import { type EnvSource, Hosts, readEnv } from '@draftshelf/runtime/env';
import { credentialsMissing, hasCredentials, StoreEnv, storeOf } from '@draftshelf/shopify/store-env';

const PushEnv = WorkerEnv.extend(StoreEnv.shape)
  .extend({ IMAGE_HOSTS: Hosts.default([]) })
  .refine(hasCredentials, {
    error: credentialsMissing,
    when: () => true,
  });

/** Reads the worker's configuration; throws ConfigurationError with every problem. */
export function readConfig(source: EnvSource) {
  const env = readEnv(PushEnv, source);
  return { ...env, store: storeOf(env) };
}
