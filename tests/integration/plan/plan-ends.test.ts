import { findImport } from '@draftshelf/core/imports/imports';
import { beginPlan } from '@draftshelf/core/push/plan/plan';
import { afterEach, expect } from 'vitest';
import { productCsv, until } from '../../support/fixture.ts';
import { holdStage } from '../../support/hold-stage.ts';
import { planSteps } from '../../support/plan-steps.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { pushers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(pushers);
const { read, reach, push, importOf, edit } = pushSteps(() => stack);
const { plan, readPlan, linesOf } = planSteps(() => stack);

afterEach(() => sql('alter table preview_lines drop constraint if exists refuses'));

const sql = async (text: string, values: unknown[] = []) =>
  (await stack.database.pool.query(text, values)).rows;
const call = (method: string, path: string) => stack.api.call(method, path);
const imported = async (key: string) => (await importOf(productCsv(2), key.repeat(64))).id;

it('a plan of rows that were read again has no titles, differences or CSV', async () => {
  const id = await imported('a');
  await push(id);
  await reach(id, 'completed');
  await plan(id);
  const products = async () => (await call('GET', `/api/queue/${id}/plan/products`)).body;
  expect(await products()).toMatchObject({ products: [{ title: expect.any(String) }, {}] });
  await sql('update previews set rows_run = rows_run - 1 where import_id = $1', [id]);
  expect(await call('GET', `/api/queue/${id}/plan`)).toMatchObject({ body: { outdated: { rows: true } } });
  expect(await products()).toMatchObject({ products: [{ title: null, edited: false }, { title: null }] });
  const none = { title: null, sent: false, differences: [], images: { store: [], push: [] } };
  expect(await call('GET', `/api/queue/${id}/plan/products/1`)).toMatchObject({ body: none });
  expect(await call('GET', `/api/queue/${id}/plan.csv`)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('The file was read again') },
  });
});

it('a push ends although it cannot be compared with its plan, or its plan is too old for that', async () => {
  const id = await imported('b');
  await plan(id);
  // The plan said something else, which the comparison cannot store.
  await sql(`update preview_lines set action = 'skipped' where preview = $1`, [(await readPlan(id)).id]);
  await sql('alter table preview_lines add constraint refuses check (otherwise is null)');
  await push(id);
  await reach(id, 'completed');
  expect((await readPlan(id)).compared).toBeNull();
  expect(stack.process('push-worker').output()).toContain('A push could not be compared with its plan');

  const { plan: made } = await plan(id);
  await sql(`update previews set started_at = now() - interval '31 days' where id = $1`, [made.id]);
  expect((await call('GET', `/api/queue/${id}/plan`)).body).toMatchObject({ state: 'none' });
  await push(id);
  await until('the push has ended', async () => (await read(id)).push_run === 2);
  await reach(id, 'completed');
  expect(await sql('select 1 from previews where id = $1 and compared is not null', [made.id])).toEqual([]);
});

it.runIf(isLong)(
  'a plan may know an edit that was made during it, so that it is outdated although the edit was undone',
  async () => {
    const id = await imported('d');
    await push(id);
    await reach(id, 'completed');
    const release = await holdStage(stack, 'push');
    await stack.database.db.transaction().execute((trx) => beginPlan(trx, id));
    await edit(id, 1, { price: '77' });
    await release();
    await until('the plan is made', async () => (await readPlan(id)).previewed_at !== null);
    expect(await linesOf(await readPlan(id))).toMatchObject([
      { outcome: 'updated' },
      { outcome: 'unchanged' },
    ]);
    await edit(id, 1, { price: null });
    expect((await call('GET', `/api/queue/${id}/plan`)).body).toMatchObject({ outdated: { editedRows: 1 } });
    expect((await call('GET', `/api/queue/${id}/plan/products`)).body).toMatchObject({
      products: [{ edited: true }, { edited: false }],
    });
    await push(id);
    await reach(id, 'completed');
    expect((await readPlan(id)).compared).toEqual({ asPlanned: 1, otherwise: { edited: 1 } });
  },
);

it('the lines of its plan are removed with an import', async () => {
  const id = await imported('c');
  const { plan: made } = await plan(id);
  expect((await call('DELETE', `/api/queue/${id}`)).status).toBe(200);
  await until('it is gone', async () => (await findImport(stack.database.db, id)) === undefined);
  expect(await linesOf(made)).toEqual([]);
});
