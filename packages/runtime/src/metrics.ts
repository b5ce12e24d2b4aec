import { createServer } from 'node:http';
import { isLocalHost } from '@draftshelf/domain/base/web-address';
import type { Tallies, TallyName } from '@draftshelf/domain/operate/tallies';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { EnvOf } from './env-catalog.ts';
import { type HealthCheck, keepHealthFile, runHealthChecks } from './health-file.ts';
import { closeServer, listenOn } from './http-listener.ts';
import type { Logger } from './logger.ts';
import type { ShutdownStep } from './shutdown.ts';

/** Each label has few possible values: no ids, filenames or texts of users. */
type Labels = Record<string, string>;

/** `rows`: number of rows or products of a work chunk. 0 for chunks of other kinds. */
export type ChunkEnd = { stage: string; kind: string; outcome: string; seconds: number; rows: number };

/** `route` is the pattern of the path, not the path. `seconds` is the time until the response began. */
type RequestEnd = { method: string; route: string; status: number; seconds: number };

/** `read` is called for each scrape. If `read` throws, the scrape lacks the gauge's values. */
type ReadGauge = {
  name: string;
  help: string;
  labels: readonly string[];
  read: () => Promise<readonly (readonly [Labels, number])[]>;
};

export type Metrics = ReturnType<typeof createMetrics>;

const counters: Record<TallyName, { name: string; help: string }> = {
  'claims-repeated': {
    name: 'draftshelf_claims_repeated_total',
    help: 'Claims of chunks whose workers were killed at least twice',
  },
  'queue-repairs': { name: 'draftshelf_sweep_repaired_total', help: 'Chunks that the queue had lost' },
  'database-refusals': { name: 'draftshelf_db_refusals_total', help: 'Statements that Postgres refused' },
  'storage-errors': { name: 'draftshelf_s3_errors_total', help: 'Failures of the object storage' },
  'store-calls': { name: 'draftshelf_store_calls_total', help: 'Calls of the store' },
  'store-throttled': { name: 'draftshelf_store_throttled_total', help: 'Calls that the store throttled' },
  'store-refusals': { name: 'draftshelf_store_refusals_total', help: 'Calls that the store refused' },
  'store-versions': {
    name: 'draftshelf_store_other_version_total',
    help: 'Calls that the store answered with another version of its API',
  },
  'http-requests': { name: 'draftshelf_http_requests_total', help: 'Requests' },
  'http-failures': { name: 'draftshelf_http_failures_total', help: 'Requests answered with 5xx' },
  'http-timed': { name: 'draftshelf_http_timed_total', help: 'Reads whose time was measured' },
  'http-slow': { name: 'draftshelf_http_slow_total', help: 'Reads that took longer than a second' },
};

const chunkSeconds = [0.05, 0.2, 0.5, 1, 2, 5, 10, 30, 120];
/** Upper bounds of the buckets in seconds. There are few, because each bucket makes a line per route. */
const requestSeconds = [0.01, 0.05, 0.25, 1, 5];
const storageSeconds = [0.01, 0.05, 0.25, 1, 5, 30];

export function createMetrics(tallies: Tallies) {
  const registry = new Registry();
  const registers = [registry];
  for (const [tally, { name, help }] of Object.entries(counters)) {
    const counter = new Counter({
      ...{ name, help, registers },
      collect: () => {
        counter.reset();
        counter.inc(tallies.total(tally as TallyName));
      },
    });
  }
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name, help, registers, labelNames });
  const histogram = (name: string, help: string, labelNames: string[], buckets: number[]) =>
    new Histogram({ name, help, registers, labelNames, buckets });
  const chunks = counter('draftshelf_chunks_total', 'Chunks by how they ended', ['stage', 'kind', 'outcome']);
  const chunkLabels = ['stage', 'kind'];
  const seconds = histogram('draftshelf_chunk_seconds', 'Time of work on a chunk', chunkLabels, chunkSeconds);
  const rows = counter('draftshelf_rows_total', 'Rows of parts that are done', ['stage']);
  const uploads = counter('draftshelf_uploads_total', 'Uploaded files that became imports');
  const refusedLogins = counter(
    'draftshelf_logins_refused_total',
    'Logins with a wrong key or too many tries',
  );
  const answered = ['method', 'route', 'status'];
  const responses = counter('draftshelf_http_responses_total', 'Answered requests', answered);
  const responseSeconds = histogram(
    'draftshelf_http_response_seconds',
    'Time until an answer began',
    ['route'],
    requestSeconds,
  );
  const storage = histogram(
    'draftshelf_s3_seconds',
    'Time until the object storage answered',
    ['method', 'outcome'],
    storageSeconds,
  );
  return {
    observeChunk({ stage, kind, outcome, seconds: took, rows: ofPart }: ChunkEnd) {
      chunks.inc({ stage, kind, outcome });
      seconds.observe({ stage, kind }, took);
      if (outcome === 'done') rows.inc({ stage }, ofPart);
    },
    observeRequest({ method, route, status, seconds: took }: RequestEnd) {
      responses.inc({ method, route, status: `${Math.floor(status / 100)}xx` });
      responseSeconds.observe({ route }, took);
    },
    observeStorage({ method, ok, seconds: took }: { method: string; ok: boolean; seconds: number }) {
      storage.observe({ method, outcome: ok ? 'answered' : 'failed' }, took);
    },
    countUpload: () => uploads.inc(),
    countRefusedLogin: () => refusedLogins.inc(),
    addGauge({ name, help, labels, read }: ReadGauge) {
      const gauge = new Gauge({
        ...{ name, help, registers, labelNames: [...labels] },
        collect: async () => {
          const values = await read().catch(() => []);
          gauge.reset();
          for (const [of, value] of values) gauge.set(of, value);
        },
      });
    },
    /** Adds metrics of memory, processor and event loop, which cost an idle process 0.7 % of a core. */
    observeProcess: () => collectDefaultMetrics({ register: registry }),
    scrape: () => registry.metrics(),
  };
}

/** Maximum number of connections. Prometheus needs only one. */
const connectionsMax = 50;
const foreignHost = 'Metrics are served by IP address or by a name of the local network.\n';

type ServeOptions = {
  port: number | undefined;
  host: string;
  checks: readonly HealthCheck[];
  logger: Logger;
};

/** Serves `/metrics`, `/readyz` and `/healthz`, which checks nothing: restarting does not end a Postgres outage. */
export async function serveMetrics(
  metrics: Metrics,
  { port, host, checks, logger }: ServeOptions,
): Promise<{ close(): Promise<void> }> {
  if (port === undefined) return { close: async () => {} };
  metrics.observeProcess();
  let scraping: Promise<string> | undefined;
  const scrape = () => {
    scraping ??= metrics.scrape().finally(() => {
      scraping = undefined;
    });
    return scraping;
  };
  const server = createServer(async (request, response) => {
    if (!isLocalHost(request.headers.host ?? '')) return void response.writeHead(403).end(foreignHost);
    if (request.method !== 'GET') return void response.writeHead(405, { allow: 'GET' }).end();
    if (request.url === '/healthz') return void response.end('ok\n');
    if (request.url === '/readyz') {
      const isReady = await runHealthChecks(checks).then(
        () => true,
        () => false,
      );
      return void response.writeHead(isReady ? 200 : 503).end(isReady ? 'ready\n' : 'not ready\n');
    }
    if (request.url !== '/metrics') return void response.writeHead(404).end();
    try {
      const text = await scrape();
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text);
    } catch (err) {
      logger.warn({ err }, 'The metrics could not be read');
      response.writeHead(500).end();
    }
  });
  server.maxConnections = connectionsMax;
  try {
    logger.info({ port: await listenOn(server, port, host), host }, 'metrics');
  } catch (err) {
    logger.error({ err, port, host }, 'The metrics are not served');
  }
  return { close: () => closeServer(server) };
}

/** Serves METRICS_PORT and writes HEALTH_FILE, each if it is set. Throws if the file cannot be written. */
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
