import type { Audit } from '@draftshelf/contract/operate/audit';
import { auditImport } from '@draftshelf/core/operate/audit/audit-import';
import {
  beginAudit,
  beginDueAudit,
  endAudit,
  readAudits,
  runAudit,
} from '@draftshelf/core/operate/audit/audits';
import { readAuditFacts } from '@draftshelf/core/operate/conditions/health-facts';
import { requestTask } from '@draftshelf/core/work/background-tasks';
import { ChunkFenced } from '@draftshelf/core/work/claim-chunk';
import type { AuditDifference } from '@draftshelf/domain/operate/audit';
import { expect } from 'vitest';
import { type Fixture, productCsv, storedImport } from '../../support/fixture.ts';
import { claimKind, lockOf, loseTasks, noLock } from '../../support/tasks.ts';
import { test } from '../../support/test.ts';

/** More than one part of products, so that the parts follow each other. */
const products = 20_500;
const shop = 'https://a.example';

/** A completed push of `products` products, stored as a push stores it. */
async function pushed(fixture: Fixture): Promise<string> {
  const { pool } = fixture.database;
  const set = { status: 'completed', stage: 'push', push_run: 1, open_chunks: 0, shop } as const;
  const counts = { total_products: products, created: products, push_total: products, push_done: products };
  const { id } = await storedImport(fixture, {
    csv: productCsv(1),
    filename: 'vases.csv',
    set: { ...set, ...counts },
  });
  const of = `select $1::uuid, n from generate_series(1, ${products}) n`;
  await pool.query(
    `insert into outcomes (import_id, rows_run, product, run, our_id, outcome, store_product_id)
     select id, 1, n, 1, 'p' || n, 'created', 'gid-' || n from (${of}) as t(id, n)`,
    [id],
  );
  await pool.query(
    `insert into ledger (origin, shop, our_id, import_id, product, run, effect, payload_hash)
     select 'push', '${shop}', 'p' || n, id, n, 1, 'created', 'h' || n from (${of}) as t(id, n)`,
    [id],
  );
  await pool.query(
    `insert into listings (shop, our_id, store_product_id)
     select '${shop}', 'p' || n, 'gid-' || n from generate_series(1, ${products}) n`,
  );
  return id;
}

const never = new AbortController().signal;
/** Runs of the task that nothing takes away. */
const alone = { lock: noLock, signal: never };

/** Audits all, and returns the differences. */
async function audit({ database: { db, pool } }: Fixture): Promise<AuditDifference[]> {
  await pool.query('delete from audits');
  await beginAudit(db);
  await runAudit(db, alone);
  const { latest } = await readAudits(db);
  expect(latest).toMatchObject({ problem: null });
  return latest?.differences ?? [];
}

test('an audit finds each kind of difference, and nothing where all agree', async ({ fixture, api }) => {
  const { pool } = fixture.database;
  const importId = await pushed(fixture);
  const of = { importId, filename: 'vases.csv' };
  expect(await audit(fixture)).toEqual([]);
  const read = async () => (await api.call('GET', '/api/system/audit')).body as Audit;
  expect(await read()).toMatchObject({
    isRunning: false,
    latest: { imports: 1, products, listings: products, count: 0, differences: [] },
  });

  const cases: [change: string, undo: string, found: AuditDifference[]][] = [
    [
      `update imports set created = created - 1`,
      `update imports set created = created + 1`,
      [{ kind: 'counter', ...of, counter: 'created', stored: products - 1, counted: products }],
    ],
    [
      `update runs set total_products = total_products + 1 where stage = 'parse'`,
      `update runs set total_products = total_products - 1 where stage = 'parse'`,
      [{ kind: 'undecided', ...of, products: products + 1, outcomes: products }],
    ],
    [
      `update runs set open_chunks = 2 where stage = 'parse'`,
      `update runs set open_chunks = 0 where stage = 'parse'`,
      [{ kind: 'open-chunks', ...of, chunks: 2 }],
    ],
    [
      `delete from ledger where product = 20400`,
      `insert into ledger (origin, shop, our_id, import_id, product, run, effect, payload_hash)
       values ('push', '${shop}', 'p20400', '${importId}', 20400, 1, 'created', 'h20400')`,
      [{ kind: 'ledger-missing', ...of, product: 20_400, outcome: 'created' }],
    ],
    [
      `insert into ledger (origin, shop, our_id, import_id, product, run, effect, payload_hash)
       values ('push', '${shop}', 'p7', '${importId}', 7, 1, 'created', 'h7')`,
      `delete from ledger where id = (select max(id) from ledger)`,
      [{ kind: 'ledger-twice', ...of, product: 7, outcome: 'created' }],
    ],
    [
      `insert into listings (shop, our_id, store_product_id) values ('${shop}', 'another', 'gid-9')`,
      `delete from listings where our_id = 'another'`,
      [{ kind: 'listing-twice', shop, storeProductId: 'gid-9', listings: 2 }],
    ],
  ];
  for (const [change, undo, found] of cases) {
    await pool.query(change);
    expect(await audit(fixture), change).toEqual(found);
    if (found[0]?.kind === 'ledger-missing') {
      expect((await read()).latest?.differences).toMatchObject([
        {
          sentence: 'Product 20,400 counts as created, but the ledger has no entry for it.',
          remedy: expect.stringContaining('Compare the product in the store'),
          import: { id: importId, filename: 'vases.csv' },
        },
      ]);
    }
    await pool.query(undo);
  }

  // A deletion removes outcomes part by part, and leaves the counters. It may begin between two parts of an audit.
  await pool.query('update imports set deletion_began_at = now(), created = created - 1');
  expect(await audit(fixture)).toEqual([]);
  expect((await read()).latest).toMatchObject({ imports: 0 });
  expect(await auditImport(fixture.database.db, importId)).toMatchObject({ differences: [] });
  await pool.query('update imports set deletion_began_at = null, created = created + 1');

  // A re-read gives products other numbers; the line of an arrival has another payload.
  await pool.query(`update outcomes set rows_run = 2, product = ${products} + 1 - product`);
  await pool.query(`update imports set rows_run = 2`);
  await pool.query(
    `insert into ledger (origin, shop, our_id, import_id, product, run, effect, payload_hash)
     values ('push', '${shop}', 'p7', '${importId}', 7, 1, 'created', 'of an older draft')`,
  );
  expect(await audit(fixture)).toEqual([]);
});

test('one audit at a time, once a day or when somebody asks', async ({ fixture, api }) => {
  const { db, pool } = fixture.database;
  const count = async () => (await pool.query('select 1 from audits')).rowCount;
  await pool.query('delete from audits');
  await beginDueAudit(db);
  await beginDueAudit(db);
  expect(await count()).toBe(1);
  expect((await api.call('POST', '/api/system/audit')).status).toBe(200);
  expect(await count()).toBe(1);
  expect((await api.call('GET', '/api/system/audit')).body).toEqual({ isRunning: true, latest: null });

  // A process that lost its task stores no result.
  await requestTask(db, 'audit');
  const silent = await claimKind(db, 'audit');
  await loseTasks({ pool });
  const next = await claimKind(db, 'audit');
  if (!silent || !next) throw new Error('The audit was not claimed');
  await expect(runAudit(db, { lock: lockOf(silent), signal: never })).rejects.toThrow(ChunkFenced);
  expect(await readAudits(db)).toMatchObject({ isRunning: true });
  expect(await runAudit(db, { lock: lockOf(next), signal: AbortSignal.abort() })).toBe('more');
  await endAudit(db, 'Comparing took too long.');
  expect((await api.call('GET', '/api/system/audit')).body).toMatchObject({
    isRunning: false,
    latest: { problem: 'Comparing took too long.' },
  });
  await beginDueAudit(db);
  expect(await count()).toBe(1);
  await pool.query(`update audits set started_at = now() - interval '25 hours'`);
  await beginDueAudit(db);
  expect(await count()).toBe(2);
  expect((await fetch(`${api.url}/api/system/audit`)).status).toBe(401);
});

test('the newest link to a product of the store is kept, and then an audit agrees', async ({
  fixture,
  api,
}) => {
  const { db, pool } = fixture.database;
  const link = { shop, storeProductId: 'gid-twice' };
  await pool.query(`
    insert into listings (shop, our_id, store_product_id, sent, sent_hash, pushed_at, sending, sending_hash) values
      ('${shop}', 'older', 'gid-twice', '{}', 'h', now() - interval '1 day', '{}', 'h'),
      ('${shop}', 'newer', 'gid-twice', '{}', 'h', now(), null, null),
      ('${shop}', 'restored', 'gid-twice', '{}', 'h', null, null, null),
      ('${shop}', 'alone', 'gid-alone', '{}', 'h', null, null, null)`);
  expect(await audit(fixture)).toEqual([{ kind: 'listing-twice', ...link, listings: 3 }]);
  const { body } = (await api.call('GET', '/api/system/audit')) as { body: Audit };
  expect(body.latest?.differences).toMatchObject([
    { link, remedy: expect.stringContaining('Keep Newest Link') },
  ]);
  expect(await readAuditFacts(db, 1)).toMatchObject({ differences: 1 });

  const keep = () => api.call('POST', '/api/system/audit/keep-newest-link', { body: link });
  expect(await keep()).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('being sent') },
  });
  await pool.query(`update listings set sending = null, sending_hash = null where shop = '${shop}'`);
  expect(await keep()).toMatchObject({
    status: 200,
    body: { message: expect.stringContaining('2 unlinked') },
  });
  const { rows } = await pool.query(
    `select our_id, sent_hash from listings where shop = '${shop}' and store_product_id in ('gid-twice', 'gid-alone')
     order by our_id`,
  );
  expect(rows).toEqual([
    { our_id: 'alone', sent_hash: 'h' },
    { our_id: 'newer', sent_hash: 'h' },
  ]);
  await runAudit(db, alone);
  expect(await readAuditFacts(db, 1)).toMatchObject({ differences: 0 });
});
