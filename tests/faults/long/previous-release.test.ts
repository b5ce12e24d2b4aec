import type { AppName } from '@draftshelf/infra/app-mains';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownRoot } from '../../support/app-process.ts';
import { checkOutPreviousRelease, previousRelease } from '../../support/previous-release.ts';
import { queueBackends } from '../../support/queue-backend.ts';
import { leftOver, pushDifferences, rowDifferences } from '../differences.ts';
import {
  beginImport,
  beginPush,
  type FaultStack,
  faultApps,
  reachRest,
  startFaultStack,
} from '../fault-stack.ts';

/** The store is no part of the product. */
const replaced = faultApps.filter((name) => name !== 'store-simulator');
const rows = 600;

/** Imports and pushes a file; returns everything that is wrong. `midway` is called during each of the two. */
async function importAndPush(stack: FaultStack, midway: () => Promise<void> = async () => {}) {
  const work = await beginImport(stack, rows, 50);
  await midway();
  await reachRest(stack, work.id);
  await beginPush(stack, work, 5);
  await midway();
  await reachRest(stack, work.id);
  return [
    ...(await rowDifferences(stack, work.id, work.truth)),
    ...(await pushDifferences(stack, work.id, work.truth)),
  ];
}

describe.runIf(previousRelease.isThere).each(queueBackends())(
  `processes of ${previousRelease.version} on the schema of this version, jobs in %s`,
  (backend) => {
    let release: Awaited<ReturnType<typeof checkOutPreviousRelease>>;
    let stack: FaultStack;
    const roots = new Map<AppName, URL>();
    beforeAll(async () => {
      release = await checkOutPreviousRelease();
      for (const name of replaced) roots.set(name, release.root);
      const env = { CONCURRENCY: '2', FOLDER_SETTLE_MS: '500' };
      stack = await startFaultStack(backend, env, (name) => roots.get(name) ?? ownRoot);
    }, 300_000);
    afterAll(async () => {
      await stack?.close();
      await release?.remove();
    });

    const start = async (name: AppName, root: URL) => {
      roots.set(name, root);
      await stack.process(name).stop();
      await stack.start(name);
    };
    const versions = async () => {
      const { rows: found } = await stack.database.pool.query<{ version: string }>(
        `select distinct version from processes order by version`,
      );
      return found.map(({ version }) => version);
    };

    it('import and push exactly', async () => {
      expect(await versions()).toEqual([previousRelease.version]);
      expect(await importAndPush(stack)).toEqual([]);
    });

    it('are replaced one by one during an import and a push, which stay exact', async () => {
      const next = replaced.values();
      const replaceSome = async () => {
        for (const name of [next.next().value, next.next().value, next.next().value]) {
          if (name) await start(name, ownRoot);
        }
      };
      expect(await importAndPush(stack, replaceSome)).toEqual([]);
      expect(await versions()).not.toContain(previousRelease.version);
    });

    it('work again after the update was taken back', async () => {
      for (const name of replaced) await start(name, release.root);
      expect(await importAndPush(stack)).toEqual([]);
      expect(await leftOver(stack)).toEqual([]);
    });
  },
);

it.skipIf(previousRelease.isThere)(
  `needs the commit of ${previousRelease.version}: fetch the history`,
  () => {},
);
