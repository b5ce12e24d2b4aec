import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { metricsOf, readRules, watchRules } from '../../support/alert-rules.ts';
import type { ApiClient } from '../../support/api-client.ts';
import { productCsv, storedImport, until } from '../../support/fixture.ts';
import { isLong } from '../../support/queue-backend.ts';
import { makeSmallDisk, type SmallDisk } from '../../support/small-disk.ts';
import type { Stack } from '../../support/stack.ts';
import { testOnStack } from '../../support/test.ts';

/** With port 0 each process has a port of its own and logs it. */
const test = testOnStack({
  names: ['api', 'parse-worker'],
  env: { METRICS_PORT: '0', LOG_LEVEL: 'info' },
});

type At = { stack: Stack; client: ApiClient; disk: SmallDisk | undefined };
/** A cause of an alert. `step` is done before each evaluation, also after the end. */
type Fault = {
  label: string;
  begin?(at: At): Promise<unknown>;
  step?(at: At, hasEnded: boolean): Promise<unknown>;
  end(at: At): Promise<unknown>;
};

const chunksTotal = /^draftshelf_chunks_total\{stage="parse",kind="work",outcome="(\w+)"\} (\d+)$/gm;
/** Parses a file, which is there or not, and waits until the worker has counted it. */
async function parseFile({ stack }: At, isThere: boolean): Promise<string> {
  const counted = async () => {
    const lines = [...(await metricsOf(stack.process('parse-worker'))).matchAll(chunksTotal)];
    return lines.reduce((sum, [, , count]) => sum + Number(count), 0);
  };
  const before = await counted();
  const set = isThere ? {} : { object_key: `imports/${randomUUID()}.csv` };
  const { id } = await storedImport(stack, { csv: productCsv(1), set });
  await until('the part is counted', async () => (await counted()) > before);
  return id;
}

let lost = '';
let readers: Promise<unknown>[] = [];
let holder: pg.Client | undefined;

/** The cause of each alert of the rules. */
const faults: Record<string, Fault> = {
  DraftshelfCondition: {
    label: 'dead-work',
    begin: async (at) => {
      lost = await parseFile(at, false);
    },
    step: async ({ stack }, hasEnded) => {
      const line = `draftshelf_condition{id="dead-work"} ${hasEnded ? 0 : 1}`;
      await until(line, async () => (await metricsOf(stack.process('api'))).includes(line));
    },
    end: async ({ client }) =>
      expect(await client.call('POST', `/api/system/dead-work/${lost}/give-up`)).toMatchObject({
        status: 200,
      }),
  },
  DraftshelfApiDown: {
    label: 'absent',
    begin: async ({ stack }) => {
      stack.process('api').kill('SIGKILL');
      await stack.process('api').ended;
    },
    end: ({ stack }) => stack.start('api'),
  },
  DraftshelfQueueForConnections: {
    label: 'database',
    begin: async ({ stack, client }) => {
      const own = new pg.Client({ connectionString: stack.databaseUrl });
      await own.connect();
      await own.query('begin; lock table settings in access exclusive mode');
      holder = own;
      readers = Array.from({ length: 12 }, async () => {
        while (holder) await client.call('GET', '/api/settings');
      });
      const waiting = /^draftshelf_db_connections\{pool="database",state="waiting"\} [1-9]/m;
      await until('a reader waits for a connection', async () =>
        waiting.test(await metricsOf(stack.process('api'))),
      );
    },
    end: async () => {
      const locked = holder;
      holder = undefined;
      await locked?.end();
      await Promise.all(readers);
    },
  },
  DraftshelfChunksFail: {
    label: 'parse',
    step: (at, hasEnded) => parseFile(at, hasEnded),
    end: async () => {},
  },
  DraftshelfDiskFilling: {
    label: 'disk',
    begin: async ({ disk }) => disk?.leaveFree(0.05),
    end: async ({ disk }) => disk?.leaveFree(0.5),
  },
};

test('each rule has a cause here', async () => {
  expect((await readRules()).map(({ alert }) => alert).toSorted()).toEqual(Object.keys(faults).toSorted());
});

/** Its time, a range, and the two evaluations within which an alert has to begin and to end. */
const rangeMax = 3;
const evaluationsMax = rangeMax + 2;

/** The first one waits for three quarters of a minute, the second for a start of the api; the long form has them. */
test.for(isLong ? Object.entries(faults) : Object.entries(faults).slice(2))(
  '%s fires with its cause and ends after it',
  async ([alert, fault], { stack, client, skip }) => {
    const disk = alert === 'DraftshelfDiskFilling' ? await makeSmallDisk() : undefined;
    if (alert === 'DraftshelfDiskFilling' && !disk) skip('Only root may mount a small disk.');
    onTestFinished(() => disk?.remove());
    const targets = {
      api: () => metricsOf(stack.process('api')),
      'parse-worker': () => metricsOf(stack.process('parse-worker')),
      node: async () => (await disk?.nodeMetrics()) ?? '',
    };
    const prometheus = watchRules(await readRules(), targets, rangeMax);
    const at = { stack, client, disk };
    const name = `${alert} ${disk?.dir ?? fault.label}`;
    const fires = async (hasEnded: boolean) => {
      await fault.step?.(at, hasEnded);
      return (await prometheus.evaluate()).includes(name);
    };
    try {
      expect(await prometheus.evaluate()).not.toContain(name);
      await fault.begin?.(at);
      const begun: boolean[] = [];
      while (begun.at(-1) !== true && begun.length < evaluationsMax) begun.push(await fires(false));
      expect(begun.at(-1), `${alert} fires`).toBe(true);
    } finally {
      await fault.end(at);
    }
    const ended: boolean[] = [];
    while (ended.at(-1) !== false && ended.length < evaluationsMax) ended.push(await fires(true));
    expect(ended.at(-1), `${alert} has ended`).toBe(false);
  },
);

/** The share of a disk that is free at each evaluation; a range of 6 hours has three of them. */
test.for<[fires: boolean, disk: string, shares: number[]]>([
  [true, 'is nearly full and does not fill', [0.05, 0.05]],
  [true, 'will be full within 3 days', [0.9, 0.8, 0.7]],
  [false, 'fills more slowly', [0.9, 0.89, 0.88]],
])('DraftshelfDiskFilling fires: %s for a disk that %s', async ([expected, , shares]) => {
  const left = [...shares];
  const node = async () => {
    const of = '{mountpoint="/"}';
    return `node_filesystem_avail_bytes${of} ${left.shift() ?? 0}\nnode_filesystem_size_bytes${of} 1\n`;
  };
  const prometheus = watchRules(await readRules(), { node }, rangeMax);
  const fires: boolean[] = [];
  for (const _share of shares) fires.push((await prometheus.evaluate()).includes('DraftshelfDiskFilling /'));
  expect(fires.at(-1)).toBe(expected);
});
