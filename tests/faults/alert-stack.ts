import { saveSettings } from '@draftshelf/core/access/settings';
import { reportThisProcess } from '@draftshelf/core/work/report-process';
import { type FactWindows, factWindows } from '@draftshelf/domain/operate/conditions';
import { createTallies, type Tallies } from '@draftshelf/domain/operate/tallies';
import { createLogger } from '@draftshelf/runtime/logger';
import { createMetrics } from '@draftshelf/runtime/metrics';
import { readVersion } from '@draftshelf/runtime/version';
import { openApiDatabases } from '../../apps/api/src/http/databases.ts';
import { addStoredGauges } from '../../apps/api/src/operate/stored-gauges.ts';
import {
  type ConditionWatch,
  createConditionWatch,
  readDiskSpace,
} from '../../apps/api/src/operate/watch-conditions.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { ownRoot } from '../support/app-process.ts';
import type { QueueBackend } from '../support/queue-backend.ts';
import { makeSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { type Stack, startStack, storeToken } from '../support/stack.ts';
import { type OwnServices, startOwnServices } from './own-services.ts';

/** Workers and services that may be broken, and an api in this process whose conditions have times of the tests. */
export type AlertStack = Stack & {
  services: OwnServices;
  api: TestApi;
  tallies: Tallies;
  watch: ConditionWatch;
  /** The times within which conditions look back; they may be changed. */
  windows: FactWindows;
  /** The version of which processes are started; it may be changed. */
  programs: { root: URL };
  /** The disk that the api watches; undefined where none can be mounted. */
  disk: SmallDisk | undefined;
  scrape(): Promise<string>;
};

/** For which a sign must be there before its condition begins. */
export const signMs = 1_000;

/** Starts it. One chunk at a time per worker, so that there is work left when a fault occurs. */
export async function startAlertStack(backend: QueueBackend): Promise<AlertStack> {
  /** What ends it, in reverse order. */
  const ends: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const end of ends.toReversed()) await end();
  };
  try {
    const services = await startOwnServices();
    ends.push(services.stop);
    const programs = { root: ownRoot };
    const stack = await startStack({
      names: ['store-simulator', 'parse-worker', 'enrich-worker', 'push-worker'],
      env: { CONCURRENCY: '1' },
      rootOf: () => programs.root,
      backend,
      services,
    });
    ends.push(stack.close);
    await saveSettings(stack.database.db, { upcLookup: false });
    const disk = await makeSmallDisk();
    ends.push(async () => disk?.remove());
    const databases = openApiDatabases(stack.databaseUrl);
    ends.push(() => Promise.all(Object.values(databases).map((pool) => pool.close())));
    const logger = createLogger({ name: 'api', level: 'silent', pretty: false });
    const tallies = createTallies();
    const metrics = createMetrics(tallies);
    const windows = { ...factWindows };
    const watch = createConditionWatch({
      ...{ ...databases, tallies, logger, windows, sendAlert: null },
      disk: () => readDiskSpace(disk?.dir),
      forMs: () => signMs,
    });
    addStoredGauges(metrics, { conditions: watch, pools: databases, storeUrl: async () => stack.store.url });
    const api = await startApi(stack, {
      ...{ storeUrl: stack.store.url, storeToken, redisUrl: stack.redis?.url },
      set: { ...databases, tallies, metrics, conditions: watch, trustedProxies: ['127.0.0.1'] },
    });
    ends.push(api.close);
    const self = await reportThisProcess(databases.database.db, {
      ...{ kind: 'api', version: readVersion(), slots: 0, tallies },
      onProblem: () => {},
    });
    ends.push(self.stop);
    const scrape = () => metrics.scrape();
    return { ...stack, services, api, tallies, watch, windows, programs, disk, scrape, close };
  } catch (error) {
    await close();
    throw error;
  }
}
