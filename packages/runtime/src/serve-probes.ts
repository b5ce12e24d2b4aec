import type { EnvOf } from './env-catalog.ts';
import { type HealthCheck, keepHealthFile } from './health-file.ts';
import type { Logger } from './logger.ts';
import { type Metrics, serveMetrics } from './metrics.ts';
import type { ShutdownStep } from './shutdown.ts';

/** Serves `METRICS_PORT` and keeps `HEALTH_FILE`, where they are set. Throws if the file cannot be written. */
export async function serveProbes(
  metrics: Metrics,
  env: EnvOf<'HEALTH_FILE' | 'METRICS_PORT' | 'METRICS_HOST'>,
  { checks, logger }: { checks: readonly HealthCheck[]; logger: Logger },
): Promise<ShutdownStep[]> {
  const { METRICS_PORT: port, METRICS_HOST: host, HEALTH_FILE: path } = env;
  const scrapes = await serveMetrics(metrics, { port, host, checks, logger });
  const health = path === undefined ? undefined : await keepHealthFile({ path, checks, logger });
  return [
    ...(health ? [{ name: 'health file', run: () => health.stop() }] : []),
    { name: 'metrics', run: () => scrapes.close() },
  ];
}
