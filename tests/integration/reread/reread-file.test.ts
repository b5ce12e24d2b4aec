import type { DialectChoice } from '@draftshelf/contract/reading/dialect';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { moveStatus } from '@draftshelf/core/imports/imports';
import { beginReread } from '@draftshelf/core/reading/begin-reread';
import { cancelImport, pauseImport } from '@draftshelf/core/work/import-actions';
import { readRunOverrides } from '@draftshelf/core/work/runs';
import { describe, expect } from 'vitest';
import { createPreviewer } from '../../../apps/web/src/features/upload/preview/preview.ts';
import { csvForm } from '../../support/api-client.ts';
import { editRow } from '../../support/edit-row.ts';
import { csvOf, until } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { scenarioBackends } from '../../support/queue-backend.ts';
import { pushers, testsOnBackends, type WorkerStack } from '../../support/test.ts';

const backends = testsOnBackends(pushers, scenarioBackends());
let stack: WorkerStack;

const { reach, upload, rowsOf } = importSteps(() => stack);

const valuesOf = async ({ id }: ImportRecord) => (await rowsOf(id)).map(({ values }) => values);

const edit = (id: string, row: number, values: Record<string, string>) =>
  stack.database.db.transaction().execute((trx) => editRow(trx, id, row, values));

describe.each(backends)('a re-read of the stored file, jobs in $backend', ({ it }) => {
  it.beforeAll(({ stack: shared }) => {
    stack = shared;
  });

  it('with another delimiter has new rows, and edits stay on their rows', async () => {
    const id = await upload('Title;Price\nLamp, blue;10\nVase, red;20\n', { dialect: '{"delimiter":","}' });
    await reach(id, 'queued');
    const changed = await stack.api.call('POST', `/api/queue/${id}/dialect`, { body: { delimiter: ';' } });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    const record = await reach(id, 'processed');
    expect(record).toMatchObject({
      parse_run: 2,
      rows_run: 2,
      total_rows: 2,
      valid_products: 2,
      open_chunks: 0,
    });
    expect(await valuesOf(record)).toEqual([
      { title: 'Lamp, blue', price: '10' },
      { title: 'Vase, red', price: '20' },
    ]);
    const runs = await stack.database.db
      .selectFrom('runs')
      .select(['run', 'kind'])
      .where('import_id', '=', id)
      .orderBy('run')
      .execute();
    expect(runs).toEqual([
      { run: 1, kind: 'full' },
      { run: 2, kind: 'reread' },
    ]);
    await edit(id, 2, { price: '25' });
    await stack.api.call('POST', `/api/jobs/${id}/dialect`, { body: { quote: "'" } });
    const again = await reach(id, 'processed');
    expect(again.rows_run).toBe(3);
    expect((await valuesOf(again))[1]).toEqual({ title: 'Vase, red', price: '25' });
  });

  it('that fails restores the import, with the cause', async () => {
    const id = await upload(
      csvOf([
        ['Title', 'Price'],
        ['Lamp', '10'],
        ['Vase', ''],
      ]),
    );
    await reach(id, 'queued');
    await stack.api.call('POST', `/api/queue/${id}/dialect`, { body: { headerRecord: 900 } });
    const after = await reach(id, 'queued');
    expect(after).toMatchObject({
      rows_run: 1,
      total_rows: 2,
      total_products: 2,
      valid_products: 1,
      warning_products: 1,
      processed_products: 2,
      product_numbers: 2,
    });
    expect(after.error_message).toBe(
      'The file couldn’t be read with these settings: no header row with data below it. The previous rows were kept.',
    );
    expect((await valuesOf(after)).length).toBe(2);
  });

  it('finds the same products in the store under their new numbers', async () => {
    const id = await upload('Note\nTitle,Price\nLamp,10\nVase,20\n', { dialect: '{"headerRecord":0}' });
    const first = await reach(id, 'queued');
    expect(first.total_rows).toBe(3);
    await edit(id, 2, { title: 'Lamp', price: '10' });
    await edit(id, 3, { title: 'Vase', price: '20' });
    await stack.api.call('POST', `/api/queue/${id}/push`);
    expect(await reach(id, 'completed')).toMatchObject({ created: 2, skipped: 1 });
    await stack.api.call('POST', `/api/queue/${id}/dialect`, { body: { headerRecord: 1 } });
    const reread = await reach(id, 'processed');
    expect(reread).toMatchObject({ total_rows: 2, created: 2, skipped: 0 });
    await stack.api.call('POST', `/api/queue/${id}/push`);
    expect(await reach(id, 'completed')).toMatchObject({ created: 0, unchanged: 2 });
    expect((await stack.store.stats()).products).toBe(2);
  });

  it('that fails is not retried by a retry', async () => {
    const id = await upload('Title,Price\nLamp,10\nVase,20\n');
    await reach(id, 'processed');
    await stack.api.call('POST', `/api/queue/${id}/push`);
    await reach(id, 'completed');
    await stack.api.call('POST', `/api/queue/${id}/dialect`, { body: { headerRecord: 900 } });
    expect(await reach(id, 'completed')).toMatchObject({
      stage: 'push',
      created: 2,
      rows_run: 1,
      parse_run: 1,
    });
    expect((await stack.api.call('POST', `/api/queue/${id}/retry`)).status).toBe(409);
    await stack.api.call('POST', `/api/queue/${id}/dialect`, { body: { quote: "'" } });
    expect(await reach(id, 'processed')).toMatchObject({
      rows_run: 3,
      parse_run: 3,
      total_rows: 2,
      created: 2,
    });
  });

  it('that fails after a failed enrichment leaves the enrichment to be retried', async () => {
    const id = await upload('Title,Price\nLamp,10\nVase,\n');
    await reach(id, 'queued');
    const failed = { failed_in: 'enrich', stage: 'enrich', enrich_run: 1 } as const;
    await moveStatus(stack.database.db, id, { from: ['queued'], to: 'failed', set: failed });
    await stack.api.call('POST', `/api/queue/${id}/dialect`, { body: { headerRecord: 900 } });
    expect(await reach(id, 'failed')).toMatchObject({
      failed_in: 'enrich',
      stage: 'enrich',
      rows_run: 1,
      parse_run: 1,
      total_rows: 2,
      processed_products: 2,
      valid_products: 1,
      warning_products: 1,
    });
  });

  it('that is paused keeps its counters when a current row is edited', async () => {
    const id = await upload('Title,Price\nLamp,10\nVase,\n');
    await reach(id, 'queued');
    await stack.database.db.transaction().execute(async (trx) => {
      await beginReread(trx, id, { dialect: { quote: "'" } });
      await pauseImport(trx, id);
    });
    expect(await edit(id, 2, { price: '20' })).toMatchObject({ ok: true });
    expect(await reach(id, 'paused')).toMatchObject({ valid_products: 0, warning_products: 0 });
    await stack.api.call('POST', `/api/queue/${id}/resume`);
    expect(await reach(id, 'processed')).toMatchObject({
      rows_run: 2,
      valid_products: 2,
      warning_products: 0,
      error_products: 0,
    });
  });

  it('that is cancelled leaves no rows behind', async () => {
    const id = await upload('Title,Price\nLamp,10\nVase,20\n');
    await reach(id, 'processed');
    const { db } = stack.database;
    await db.transaction().execute(async (trx) => {
      await beginReread(trx, id, {});
      await trx
        .insertInto('rows')
        .columns(['import_id', 'run', 'row', 'line', 'byte_from', 'product', 'class', 'enrichable', 'cells'])
        .expression((eb) =>
          eb
            .selectFrom('rows')
            .select([
              'import_id',
              eb.lit(2).as('run'),
              'row',
              'line',
              'byte_from',
              'product',
              'class',
              'enrichable',
              'cells',
            ])
            .where('import_id', '=', id),
        )
        .execute();
      await cancelImport(trx, id);
    });
    const runsWithRows = async () => {
      const rows = await db.selectFrom('rows').select('run').distinct().where('import_id', '=', id).execute();
      return rows.map(({ run }) => run);
    };
    await until('the rows of run 2 are gone', async () => (await runsWithRows()).join() === '1');
  });

  it.each<[string, string, DialectChoice[]]>([
    ['a header below a note', 'Price list, 2026\nTitle;Price\nLamp;10\nVase;20\n', [{ delimiter: ',' }]],
    [
      'spaces behind delimiters',
      'Title, Price;x\nLamp, 10;y\nVase, 20;z\n',
      [{ delimiter: ';' }, { quote: '' }],
    ],
    [
      'a mark that is none',
      '\uFEFFTitle;Price\nLamp;10\n',
      [{ encoding: 'windows-1252' }, { encoding: 'utf-8' }],
    ],
    [
      'lines in quotes',
      '"Title,Price"\n"Lamp,""10"""\n"Vase,20"\n',
      [{ delimiter: ';' }, { delimiter: ',' }],
    ],
    [
      'a header that was set',
      'Title;Price\nLamp;1\nVase;2\n',
      [{ headerRecord: 1 }, { delimiter: ',' }, { encoding: 'gb18030' }],
    ],
  ])('uses the overrides like the preview: %s', async (_name, text, choices) => {
    const previewed = (overrides: DialectChoice) => {
      const previewer = createPreviewer({ dialect: overrides });
      previewer.push(Buffer.from(text));
      return previewer.end()?.dialect;
    };
    const id = await upload(text);
    let record = await reach(id, 'queued', 'processed');
    let overrides: DialectChoice = {};
    const dialectOf = async (run: number) =>
      (await readRunOverrides(stack.database.db, { import_id: id, run })).dialect;
    expect(await dialectOf(1)).toEqual(previewed(overrides));
    for (const choice of choices) {
      overrides = { ...overrides, ...choice };
      await stack.api.call('POST', `/api/queue/${id}/dialect`, { body: choice });
      record = await reach(id, 'queued', 'processed');
      expect(await dialectOf(record.rows_run)).toEqual(previewed(overrides));
    }
    expect(record.rows_run).toBe(choices.length + 1);
  });

  it('is refused while the import runs, and for unknown dialects', async () => {
    const id = await upload(
      csvOf([
        ['Title', 'Price'],
        ['Lamp', '10'],
      ]),
    );
    await reach(id, 'processed');
    expect((await stack.api.call('POST', `/api/queue/${id}/dialect`, { body: {} })).status).toBe(400);
    expect(
      (await stack.api.call('POST', `/api/queue/${id}/dialect`, { body: { delimiter: 'x' } })).status,
    ).toBe(400);
    await stack.api.call('POST', `/api/queue/${id}/cancel`);
    expect(
      (await stack.api.call('POST', `/api/queue/${id}/dialect`, { body: { delimiter: ';' } })).status,
    ).toBe(409);
    const late = await stack.api.upload(
      csvForm('Title,Price\nLamp,1\n', { after: { dialect: '{"delimiter":";"}' } }),
    );
    expect(late.status).toBe(400);
  });
});
