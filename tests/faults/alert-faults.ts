import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { backUp, writeBackup } from '@draftshelf/backup/back-up';
import { checkBackup } from '@draftshelf/backup/check-backup';
import { recordConfiguredStore } from '@draftshelf/core/enrich/sources';
import { recordBackupCheck, recordKeptBackup } from '@draftshelf/core/operate/backup/kept-backups';
import { addHealthCounts } from '@draftshelf/core/work/health-counts';
import { pushImport } from '@draftshelf/core/work/import-actions';
import type { ConditionId, FactWindows } from '@draftshelf/domain/operate/conditions';
import { openObject } from '@draftshelf/object-storage/objects';
import pg from 'pg';
import { readDiskSpace } from '../../apps/api/src/operate/watch-conditions.ts';
import { csvForm } from '../support/api-client.ts';
import { type AppProcess, ownRoot } from '../support/app-process.ts';
import { lockWaiters, productCsv, storedImport, until } from '../support/fixture.ts';
import { copyAsVersion } from '../support/other-version.ts';
import type { AlertStack } from './alert-stack.ts';
import { reachRest } from './fault-stack.ts';
import { freezeFor, kill } from './inject.ts';

/** A real cause of a condition. */
type AlertFault = {
  /** Times that replace the short ones of the tests. */
  windows?: Partial<FactWindows>;
  /** Begins the fault, and returns what ends it. */
  begin(stack: AlertStack): Promise<() => Promise<unknown>>;
};

let files = 0;
/** A file whose SKUs no other one has. */
const newCsv = (rows: number) => {
  files += 1;
  return productCsv(rows).replaceAll(',V-', `,F${files}-`);
};

/** Keeps everybody from writing rows, as a lock does that nobody releases. */
async function lockRows({ databaseUrl }: AlertStack): Promise<() => Promise<void>> {
  const holder = new pg.Client({ connectionString: databaseUrl });
  await holder.connect();
  await holder.query('begin; lock table rows in exclusive mode');
  return () => holder.end();
}

/** Two imports, of which a worker with one slot can begin only the first one, and not complete it. */
async function standStill(stack: AlertStack): Promise<() => Promise<unknown>> {
  const unlock = await lockRows(stack);
  const imports = [
    await storedImport(stack, { csv: newCsv(2) }),
    await storedImport(stack, { csv: newCsv(2) }),
  ];
  return async () => {
    await unlock();
    for (const { id } of imports) await reachRest(stack, id);
  };
}

/** Parts of an import, each held by a slot of a worker that cannot store its rows. */
async function holdParts(stack: AlertStack, parts: number, slots: number) {
  await stack.process('parse-worker').stop();
  const release = await lockRows(stack);
  const { id } = await storedImport(stack, { csv: newCsv(parts), rowsMax: 1 });
  const start = () => stack.startAnother('parse-worker', { CONCURRENCY: String(slots) });
  const areHeld = () =>
    until('the slots hold parts', async () => (await lockWaiters(stack)) >= slots, 120_000);
  const end = async (worker: AppProcess) => {
    await reachRest(stack, id);
    await worker.stop();
    await stack.start('parse-worker');
  };
  return { id, start, areHeld, release, end };
}

async function processed(stack: AlertStack, products: number): Promise<string> {
  const { id } = await storedImport(stack, { csv: newCsv(products) });
  await reachRest(stack, id);
  return id;
}

async function push({ database }: AlertStack, id: string): Promise<void> {
  const begun = await database.db.transaction().execute((trx) => pushImport(trx, id, 1, { supplier: null }));
  if (!begun.ok) throw new Error(begun.reason);
}

/** Audits, after an audit that may be under way; a parse worker looks every 10 s. */
async function audit({ api, database }: AlertStack): Promise<void> {
  const none = async () =>
    (await database.pool.query('select 1 from audits where ended_at is null')).rowCount === 0;
  await until('no audit is under way', none, 60_000);
  await api.call('POST', '/api/system/audit');
  await until('the audit has ended', none, 60_000);
}

const shiftedClock = 'data:text/javascript,const{now}=Date;Date.now=()=>now()+5000';

/** The cause of each condition. */
export const alertFaults: Record<ConditionId, AlertFault> = {
  'no-worker': {
    async begin(stack) {
      stack.process('parse-worker').kill('SIGKILL');
      await stack.process('parse-worker').ended;
      const { id } = await storedImport(stack, { csv: newCsv(2) });
      return async () => {
        await stack.start('parse-worker');
        await reachRest(stack, id);
      };
    },
  },
  'backlog-old': { begin: standStill },
  'stage-stands': { begin: standStill },
  'dead-work': {
    async begin(stack) {
      const { id } = await storedImport(stack, { csv: newCsv(2), set: { object_key: 'imports/gone.csv' } });
      return async () => {
        await reachRest(stack, id);
        await stack.api.call('POST', `/api/system/dead-work/${id}/give-up`);
      };
    },
  },
  'workers-die': {
    windows: { claimsMs: 120_000 },
    async begin(stack) {
      // The counts of a worker that is killed may be lost with it, so those of the last one must do.
      const slots = 6;
      const { id, start, areHeld, release, end } = await holdParts(stack, slots, slots);
      const claimedTimes = async (times: number) => {
        const { rows } = await stack.database.pool.query(
          `select 1 from chunks where import_id = $1 and kind = 'work' and claims >= $2`,
          [id, times],
        );
        return rows.length === slots;
      };
      let worker = await start();
      for (let kill = 1; kill <= 3; kill += 1) {
        await areHeld();
        worker.kill('SIGKILL');
        await worker.ended;
        worker = await start();
        await until('all parts are claimed again', () => claimedTimes(kill + 1), 120_000);
      }
      return async () => {
        await release();
        await end(worker);
      };
    },
  },
  'program-crashes': {
    windows: { crashesMs: 1_800_000 },
    async begin(stack) {
      const noted = async () => {
        const { rows } = await stack.database.pool.query<{ deaths: number; minutes: number }>(
          `select count(*)::int as deaths, count(distinct date_trunc('minute', died_at))::int as minutes
           from processes where kind = 'parse-worker' and died_at is not null`,
        );
        return rows[0] ?? { deaths: 0, minutes: 0 };
      };
      for (let before = await noted(); before.minutes < 3; before = await noted()) {
        await kill(stack, 'parse-worker');
        await until('the death is noted', async () => (await noted()).deaths > before.deaths, 60_000);
      }
      return async () => {};
    },
  },
  'task-outlives': {
    async begin(stack) {
      const worker = stack.process('parse-worker');
      worker.kill('SIGSTOP');
      return async () => worker.kill('SIGCONT');
    },
  },
  'queue-loses': {
    async begin(stack) {
      // Half of the published parts are held; the others are lost with the queue.
      const slots = 16;
      const { start, areHeld, release, end } = await holdParts(stack, 3 * slots, slots);
      const worker = await start();
      await areHeld();
      await stack.emptyQueue();
      // A sweep would wait for parts that are held.
      await release();
      return () => end(worker);
    },
  },
  'database-refuses': {
    async begin({ services, watch, tallies }) {
      const refusals = () => tallies.total('database-refusals');
      const before = refusals();
      // A restart that nobody notices is no refusal.
      while (refusals() === before) {
        let isBack = false;
        const restarted = services.endPostgres('SIGKILL').finally(() => {
          isBack = true;
        });
        while (!isBack) await watch.look();
        await restarted;
      }
      return async () => {};
    },
  },
  'disk-filling': {
    async begin({ disk }) {
      await disk?.leaveFree(0.05);
      return async () => disk?.leaveFree(0.9);
    },
  },
  'disk-full-soon': {
    async begin({ disk, database: { pool } }) {
      // The last half day, in which the disk has become fuller; its last part is written here.
      const total = (await readDiskSpace(disk?.dir))?.totalBytes ?? 0;
      await pool.query(
        `delete from disk_samples; insert into disk_samples
         select date_trunc('hour', now()) - interval '13 hours', ${Math.floor(total * 0.9)}, ${total}`,
      );
      await disk?.leaveFree(0.5);
      return async () => {
        await disk?.leaveFree(0.95);
        await pool.query('delete from disk_samples');
      };
    },
  },
  'storage-errors': {
    async begin({ services, api }) {
      services.storage().kill('SIGKILL');
      await services.storage().ended;
      for (let i = 0; i < 3; i += 1) await api.upload(csvForm(newCsv(1)));
      return () => services.startStorage();
    },
  },
  'store-refuses': {
    async begin(stack) {
      const id = await processed(stack, 3);
      await stack.store.fault({ kind: 'unauthorized', forMs: 3_600_000 });
      await push(stack, id);
      return () => stack.store.clearFaults();
    },
  },
  'store-version': {
    async begin({ database }) {
      // A push has one version only, so what it would count of another is added.
      await addHealthCounts(database.db, { 'store-versions': 1 });
      return async () => {};
    },
  },
  'api-errors': {
    async begin({ services, api, tallies }) {
      const failures = () => tallies.total('http-failures');
      const enough = failures() + 3;
      const calls = () => Promise.all(Array.from({ length: 4 }, () => api.call('GET', '/api/settings')));
      while (failures() < enough) await Promise.all([services.endPostgres('SIGKILL'), calls()]);
      return async () => {};
    },
  },
  'api-slow': {
    async begin({ services, api }) {
      for (let i = 0; i < 60; i += 1) await api.call('GET', '/api/preferences');
      const reads: Promise<unknown>[] = [];
      const kill = async (signal: 'SIGSTOP' | 'SIGCONT') => {
        await services.signalPostgres(signal);
        if (signal === 'SIGSTOP') for (let i = 0; i < 4; i += 1) reads.push(api.call('GET', '/api/settings'));
      };
      await freezeFor({ kill }, 1_500);
      await Promise.all(reads);
      return async () => {};
    },
  },
  'clock-skew': {
    async begin(stack) {
      const worker = await stack.startAnother('enrich-worker', { NODE_OPTIONS: `--import=${shiftedClock}` });
      return () => worker.stop();
    },
  },
  'versions-mixed': {
    async begin(stack) {
      const other = await copyAsVersion('0.0.1');
      stack.programs.root = other.root;
      const worker = await stack.startAnother('parse-worker');
      stack.programs.root = ownRoot;
      return async () => {
        await worker.stop();
        await other.remove();
      };
    },
  },
  'backup-old': {
    windows: { backupMs: 15_000 },
    async begin(stack) {
      await recordConfiguredStore(stack.database.db, { url: 'https://real.myshopify.com', isReal: true });
      const directory = await mkdtemp(path.join(tmpdir(), 'draftshelf-alerts-'));
      const run = (name: string) =>
        backUp(path.join(directory, name), {
          ...{ database: stack.database, storage: stack.storage, signal: new AbortController().signal },
          report: () => {},
        });
      await run('first');
      return async () => {
        await run('second');
        await rm(directory, { recursive: true });
      };
    },
  },
  'restore-differs': {
    async begin(stack) {
      const { database, storage, databaseUrl } = stack;
      const directory = await mkdtemp(path.join(tmpdir(), 'draftshelf-alerts-'));
      const signal = new AbortController().signal;
      const tryOne = async (name: string, damage: (folder: string) => Promise<void>) => {
        const folder = path.join(directory, name);
        await writeBackup(folder, { database, storage, signal, report: () => {} }, { earlier: null });
        await recordKeptBackup(database.db, folder, 1);
        await damage(folder);
        const openOne = (key: string) => openObject(storage, key);
        const result = await checkBackup(folder, { database, databaseUrl, openObject: openOne, signal });
        await recordBackupCheck(database.db, folder, result);
      };
      await tryOne('damaged', (folder) => appendFile(path.join(folder, 'tables/settings.copy.zst'), 'x'));
      return async () => {
        await tryOne('whole', async () => {});
        await rm(directory, { recursive: true });
      };
    },
  },
  'audit-differs': {
    async begin(stack) {
      const id = await processed(stack, 3);
      await push(stack, id);
      await reachRest(stack, id);
      const { rows } = await stack.database.pool.query(
        `delete from ledger where import_id = $1 and product = 1 returning to_jsonb(ledger) as line`,
        [id],
      );
      await audit(stack);
      return async () => {
        await stack.database.pool.query(
          'insert into ledger overriding system value select * from jsonb_populate_record(null::ledger, $1)',
          [rows[0].line],
        );
        await audit(stack);
      };
    },
  },
  'login-guessing': {
    async begin({ api }) {
      for (let i = 1; i <= 51; i += 1) {
        const headers = { 'x-forwarded-for': `192.0.2.${i}` };
        await api.call('POST', '/api/auth/login', { body: { accessKey: 'a wrong guess' }, headers });
      }
      return async () => {};
    },
  },
  'list-late': {
    async begin(stack) {
      const { rows } = await stack.database.pool.query(
        `with supplier as (insert into suppliers (name) values ('Late') returning id)
         insert into feeds (supplier, state, kind, shown, host, sign_in, schedule, trouble_since)
         select id, 'on', 'web', 'a', 'a', 'none', '{"every": "hour"}', now() - interval '25 hours' from supplier
         returning id`,
      );
      return async () => {
        await stack.database.pool.query('delete from feeds where id = $1', [rows[0].id]);
      };
    },
  },
};
