import { readFacets } from '@draftshelf/core/review/row-facets';
import type { Operation } from '@draftshelf/domain/review/operations/operation';
import { afterEach, describe, expect } from 'vitest';
import { commandEnded, rowDifferences } from '../../support/command-steps.ts';
import { csvOf, productCsv } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { recordedEvent } from '../../support/recorded-events.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(readers);
const { processed, rowsOf } = importSteps(() => stack);
// Imports of earlier tests count as pushed, so that those of later ones are not compared with them.
afterEach(() => stack.database.pool.query('update imports set push_run = 1'));

type Reply = { status: number; body: Record<string, unknown> & { command: string } };
const call = (method: string, path: string, body?: object) =>
  stack.api.call(method, path, body ? { body } : {}) as Promise<Reply>;

const apply = (id: string, target: object, operations: readonly Operation[], sinceEdit?: number) =>
  call('POST', `/api/queue/${id}/edits`, { target, operations, sinceEdit });
const undo = (id: string, command: string) => call('POST', `/api/queue/${id}/edits/${command}/undo`);

const addTenPercent: Operation = { kind: 'calculate', field: 'price', by: 'percent', amount: '10' };
const setBrand: Operation = { kind: 'set', field: 'vendor', value: 'Acme' };

/** The values of a field, by row. */
async function valuesOf(id: string, field: 'price' | 'title' | 'vendor' | 'sku' | 'type') {
  return (await rowsOf(id)).map(({ values }) => values[field] ?? null);
}

const commandOf = async (id: string, command: string) => {
  const { rows } = await stack.database.pool.query(
    'select state, rows, edits, left_cells from edit_commands where import_id = $1 and id = $2',
    [id, command],
  );
  return rows[0];
};

const ended = (id: string) => commandEnded(stack, id);

const consistent = async (id: string) => expect(await rowDifferences(stack, id)).toEqual([]);

const prices = csvOf([
  ['Title', 'Price', 'SKU', 'Vendor'],
  ['Lamp', '10', 'L-1', ''],
  ['Vase', 'ask', 'V-1', 'Glass & Co'],
  ['Bowl', '30', 'B-1', ''],
]);

describe('a command on a few rows', () => {
  it('is applied in the request, leaves what it cannot change, and is undone and redone', async () => {
    const id = await processed(prices);
    const applied = await apply(id, {}, [addTenPercent, setBrand]);
    expect(await recordedEvent(stack.database.pool, 'rows-changed')).toMatchObject({
      client: '127.0.0.1',
      detail: '3 rows',
      import_id: id,
    });
    expect(applied).toMatchObject({
      status: 200,
      body: { inBackground: false, rows: 3, cells: 5, left: { 'not-a-number': 1 } },
    });
    expect(await valuesOf(id, 'price')).toEqual(['11.00', 'ask', '33.00']);
    expect(await valuesOf(id, 'vendor')).toEqual(['Acme', 'Acme', 'Acme']);
    await consistent(id);

    const undone = await undo(id, applied.body.command);
    expect(undone).toMatchObject({ status: 200, body: { inBackground: false, left: 0 } });
    expect(await valuesOf(id, 'price')).toEqual(['10', 'ask', '30']);
    expect(await valuesOf(id, 'vendor')).toEqual([null, 'Glass & Co', null]);
    await consistent(id);

    expect(await undo(id, undone.body.command)).toMatchObject({ status: 200 });
    expect(await valuesOf(id, 'price')).toEqual(['11.00', 'ask', '33.00']);
    expect(await commandOf(id, applied.body.command)).toEqual({
      state: 'applied',
      rows: 3,
      edits: 5,
      left_cells: { 'not-a-number': 1 },
    });
    await consistent(id);
  });

  it('changes the rows that are named, have a class or an issue, or hold a text', async () => {
    const id = await processed(prices.replace('Lamp', 'Torch'));
    const type = (value: string): Operation[] => [{ kind: 'set', field: 'type', value }];
    expect(await apply(id, { rows: [1, 99] }, type('by number'))).toMatchObject({ body: { rows: 1 } });
    expect(await apply(id, { class: 'warning' }, type('by class'))).toMatchObject({ body: { rows: 1 } });
    expect(await apply(id, { q: 'bowl' }, type('by text'))).toMatchObject({ body: { rows: 1 } });
    expect(await valuesOf(id, 'type')).toEqual(['by number', 'by class', 'by text']);
    const none = await apply(id, { q: 'nothing like this' }, type('none'));
    expect(none).toMatchObject({ status: 409, body: { message: 'There are no rows to change.' } });
    await consistent(id);
  });

  it('pastes values into cells, except what others have changed since and what a cell cannot have', async () => {
    const id = await processed(prices.replace('Lamp', 'Jug'));
    const paste: Operation[] = [
      {
        kind: 'paste',
        field: 'price',
        cells: [
          [1, '11'],
          [2, 'soon'],
          [3, '33'],
        ],
      },
      {
        kind: 'paste',
        field: 'vendor',
        cells: [
          [1, 'A'],
          [2, ''],
          [3, 'C'],
        ],
      },
    ];
    const target = { rows: [1, 2, 3] };
    const preview = await call('POST', `/api/queue/${id}/edits/preview`, { target, operations: paste });
    expect(preview.body).toMatchObject({
      sentence: 'Pasted: price, brand',
      changed: { cells: 5, rows: 3 },
      left: [{ reason: 'not-allowed', cells: 1, row: 2, nextRows: [], isAll: true }],
    });
    await call('PATCH', `/api/queue/${id}/rows/3`, { values: { price: '31' } });
    const applied = await apply(id, target, paste, preview.body.sinceEdit as number);
    expect(applied.body).toMatchObject({
      ...{ cells: 4, left: { 'not-allowed': 1, 'changed-since': 1 } },
      leftRows: { 'not-allowed': [2], 'changed-since': [3] },
    });
    expect(await valuesOf(id, 'price')).toEqual(['11', 'ask', '31']);
    expect(await valuesOf(id, 'vendor')).toEqual(['A', null, 'C']);
    await undo(id, applied.body.command);
    expect(await valuesOf(id, 'price')).toEqual(['10', 'ask', '31']);
    expect(await valuesOf(id, 'vendor')).toEqual([null, 'Glass & Co', null]);
    await consistent(id);
  });

  it('undoes a pasted block in the request, as it was applied', async () => {
    const id = await processed(productCsv(300));
    const rows = Array.from({ length: 300 }, (_, at) => at + 1);
    const paste = (['price', 'vendor', 'type'] as const).map(
      (field): Operation => ({ kind: 'paste', field, cells: rows.map((row) => [row, `${row}`]) }),
    );
    const applied = await apply(id, { rows }, paste);
    expect(applied).toMatchObject({ body: { inBackground: false, cells: 900 } });
    const undone = await undo(id, applied.body.command);
    expect(undone).toMatchObject({ body: { inBackground: false, left: 0 } });
    await consistent(id);
  });

  it('leaves cells that others have changed since its preview', async () => {
    const id = await processed(prices.replace('Lamp', 'Candle'));
    await call('PATCH', `/api/queue/${id}/rows/1`, { values: { price: '12' } });
    const { rows } = await stack.database.pool.query('select max(id)::int as last from edits');
    await call('PATCH', `/api/queue/${id}/rows/3`, { values: { price: '31' } });
    const applied = await apply(id, {}, [addTenPercent], rows[0].last);
    expect(applied).toMatchObject({ body: { rows: 1, left: { 'changed-since': 1, 'not-a-number': 1 } } });
    expect(await valuesOf(id, 'price')).toEqual(['13.20', 'ask', '31']);
  });

  it('changes fields that a product has once on its first row, and those of rows on each', async () => {
    const id = await processed(
      csvOf([
        ['Handle', 'Title', 'Price', 'Option1 Name', 'Option1 Value'],
        ['v', 'Vase', '10', 'Size', 'S'],
        ['v', '', '20', 'Size', 'M'],
      ]),
    );
    const operations: Operation[] = [{ kind: 'suffix', field: 'title', text: ' (new)' }, addTenPercent];
    expect(await apply(id, { rows: [2] }, operations)).toMatchObject({ body: { cells: 2 } });
    expect(await valuesOf(id, 'title')).toEqual(['Vase (new)', null]);
    expect(await valuesOf(id, 'price')).toEqual(['10', '22.00']);
    await consistent(id);
  });

  it('leaves rows out of the push, and puts them back', async () => {
    const id = await processed(prices.replace('Lamp', 'Globe'));
    const leftOut = await apply(id, { class: 'valid' }, [{ kind: 'leave-out', leaveOut: true }]);
    expect(leftOut).toMatchObject({ status: 200, body: { rows: 2, cells: 2 } });
    await consistent(id);
    expect(await apply(id, { issue: 'left-out' }, [setBrand])).toMatchObject({ body: { rows: 2 } });
    const back = await apply(id, { rows: [1] }, [{ kind: 'leave-out', leaveOut: false }]);
    expect(back).toMatchObject({ body: { rows: 1 } });
    await consistent(id);
    expect(await undo(id, back.body.command)).toMatchObject({ status: 200 });
    const facets = await readFacets(stack.database.db, { import_id: id, run: 1 });
    expect(facets.filter(({ issue }) => issue === 'left-out')).toEqual([
      { class: 'valid', issue: 'left-out', rows: 2 },
    ]);
    await consistent(id);
  });

  it('finds duplicates that it makes and those that it ends', async () => {
    const id = await processed(productCsv(20));
    const applied = await apply(id, {}, [{ kind: 'set', field: 'sku', value: 'SAME' }]);
    expect(applied).toMatchObject({ body: { inBackground: false, rows: 20 } });
    await consistent(id);
    expect(await undo(id, applied.body.command)).toMatchObject({ status: 200 });
    await consistent(id);
  });
});

describe('the preview of a command', () => {
  it('says which rows get a SKU of another product, or a UPC that is invalid', async () => {
    const id = await processed(
      csvOf([
        ['Title', 'Price', 'SKU', 'UPC'],
        ...['A', 'B', 'C', 'D'].map((name) => [`Vase ${name}`, '9.90', `GL-${name}`, '']),
      ]),
    );
    const problemsOf = async (rows: number[], operation: Operation) =>
      (await preview(id, { rows }, [operation])).body.problems;
    const sku = (value: string): Operation => ({ kind: 'set', field: 'sku', value });
    const text = 'Another product of this import has the same SKU.';
    expect(await problemsOf([2, 3], sku('GL-A'))).toEqual([{ text, rows: 2, row: 2 }]);
    expect(await problemsOf([3], sku('GL-D'))).toEqual([{ text, rows: 1, row: 3 }]);
    expect(await problemsOf([3], sku('GL-E'))).toEqual([]);
    expect(await problemsOf([1, 2], { kind: 'set', field: 'upc', value: '1111' })).toEqual([
      { text: expect.stringMatching(/^UPC is invalid/), rows: 2, row: 1 },
    ]);
  });

  const preview = (id: string, target: object, operations: readonly Operation[]) =>
    call('POST', `/api/queue/${id}/edits/preview`, { target, operations });

  it('counts what the command does then, and names the last edit that it knows', async () => {
    const id = await processed(prices.replace('Lamp', 'Lantern'));
    const first = await preview(id, {}, [addTenPercent, setBrand]);
    expect(first).toMatchObject({
      status: 200,
      body: {
        ...{ sentence: 'Price + 10%, brand set to “Acme”', rows: 3, products: 3, sinceEdit: 0 },
        sample: { rows: 3, products: 3, isAll: true, upTo: null },
        changed: { cells: 5, rows: 3, products: 3 },
        left: [{ reason: 'not-a-number', cells: 1, row: 2, before: 'ask' }],
        largest: { row: 1, before: '10', after: '11.00', percent: 10 },
      },
    });
    const price: Operation = { kind: 'set', field: 'price', value: '5' };
    expect(await preview(id, { class: 'warning' }, [price])).toMatchObject({
      body: { rows: 1, becomesValid: 1, losesValidity: 0, examples: [{ before: 'ask', after: '5' }] },
    });
    await apply(id, { rows: [1] }, [price]);
    const { rows } = await stack.database.pool.query('select max(id)::int as last from edits');
    expect(await preview(id, { q: 'bowl' }, [price])).toMatchObject({
      body: { rows: 1, sinceEdit: rows[0].last },
    });
    expect(await valuesOf(id, 'price')).toEqual(['5', 'ask', '30']);
  });

  it('counts no row that the import ignores', async () => {
    const id = await processed(
      csvOf([
        ['Title', 'Price'],
        ['Vase', '10'],
        ['Title', 'Price'],
        ['Bowl', '12'],
      ]),
    );
    expect((await preview(id, {}, [setBrand])).body).toMatchObject({ rows: 2 });
    const { body } = await apply(id, {}, [setBrand]);
    expect(body).toMatchObject({ rows: 2 });
  });

  it.runIf(isLong)(
    'reads up to 1,000 rows from all over a larger target, but checks all values that are pasted',
    async () => {
      const id = await processed(productCsv(2_400));
      const all = { rows: 2_400, products: 2_400, sample: { isAll: false } };
      const { body: branded } = await preview(id, {}, [setBrand]);
      const { sample, examples } = branded as unknown as {
        sample: { rows: number };
        examples: { row: number }[];
      };
      expect(branded).toMatchObject(all);
      expect(sample.rows).toBeLessThanOrEqual(1_000);
      expect(examples[0]?.row).toBe(1);
      expect(examples.at(-1)?.row).toBeGreaterThan(2_300);
      expect((await preview(id, { q: 'vase' }, [setBrand])).body).toMatchObject(all);
      // It says what it knows of its sample only.
      const taken = await preview(id, {}, [{ kind: 'take', field: 'price', from: { field: 'cost' } }]);
      expect(taken.body).toMatchObject({
        left: [{ reason: 'nothing-to-take', isAll: false, nextRows: [2, 3] }],
      });
      const rows = Array.from({ length: 1_200 }, (_, at) => 2 * at + 1);
      const valueFor = (row: number) => (row % 400 === 101 ? 'abc' : row === 2_001 ? '0' : '7777');
      const paste: Operation = {
        kind: 'paste',
        field: 'price',
        cells: rows.map((row) => [row, valueFor(row)]),
      };
      const { body } = await preview(id, { rows: [...rows, 9_999] }, [paste]);
      expect(body).toMatchObject({
        sample: { isAll: false },
        left: [
          {
            ...{
              reason: 'not-allowed',
              cells: 6,
              row: 101,
              refused: 'abc',
              nextRows: [501, 901],
              isAll: true,
            },
          },
          { reason: 'no-result', cells: 1, row: 2_001, refused: '0', nextRows: [], isAll: true },
        ],
      });
      const applied = await apply(id, { rows }, [paste]);
      expect(applied.body).toMatchObject({ inBackground: true });
      await ended(id);
      const { body: history } = await call('GET', `/api/queue/${id}/edits`);
      expect(history.commands).toMatchObject([
        {
          ...{ rows: 1_193, leftCells: { 'not-allowed': 6, 'no-result': 1 } },
          leftRows: { 'not-allowed': [101, 501, 901], 'no-result': [2_001] },
        },
      ]);
      // Another reading of the file may number other rows.
      await stack.database.pool.query(
        `update edit_commands set left_rows = jsonb_set(left_rows::jsonb, '{run}', '99') where import_id = $1`,
        [id],
      );
      const later = await call('GET', `/api/queue/${id}/edits`);
      expect(later.body.commands).toMatchObject([{ leftCells: { 'not-allowed': 6 }, leftRows: {} }]);
    },
  );

  it.runIf(isLong)(
    'stops after two megabytes of text and says up to which row, while its command changes all',
    async () => {
      const cells = Array.from({ length: 4 }, (_, at) => [`Long ${at}`, '1', 'a'.repeat(700_000)]);
      const id = await processed(csvOf([['Title', 'Price', 'Description'], ...cells]));
      const replace = (find: string): Operation[] => [
        { kind: 'replace', field: 'description', find, with: 'b', whole: false, matchCase: false },
      ];
      expect((await preview(id, {}, replace('a'.repeat(501)))).status).toBe(400);
      const operations = replace('a'.repeat(500));
      expect((await preview(id, {}, operations)).body).toMatchObject({
        rows: 4,
        products: 4,
        sample: { rows: 3, products: 3, isAll: false, upTo: 3 },
        changed: { cells: 3 },
      });
      const { body } = await apply(id, {}, operations);
      await ended(id);
      expect(await commandOf(id, body.command)).toMatchObject({ state: 'applied', rows: 4, edits: 4 });
    },
  );
});

describe('a command on many rows', () => {
  it('is applied by a task, undone and redone, with the same counts as a recount', async () => {
    const id = await processed(productCsv(1_500));
    const applied = await apply(id, { class: 'valid' }, [
      { kind: 'replace', field: 'title', find: 'Vase', with: 'Pot', whole: false, matchCase: true },
      addTenPercent,
    ]);
    expect(applied).toMatchObject({ status: 200, body: { inBackground: true, rows: 0 } });
    const { command } = applied.body;
    await ended(id);
    expect(await commandOf(id, command)).toMatchObject({ state: 'applied', rows: 1_500, edits: 3_000 });
    expect((await valuesOf(id, 'price')).slice(0, 2)).toEqual(['1.65', '2.75']);
    expect(await apply(id, { q: 'pot 7' }, [setBrand])).toMatchObject({ body: { rows: 111 } });
    await consistent(id);

    const undone = await undo(id, command);
    expect(undone).toMatchObject({ status: 200, body: { inBackground: true } });
    await ended(id);
    expect(new Set((await valuesOf(id, 'title')).map((title) => title?.split(' ')[0]))).toEqual(
      new Set(['Vase']),
    );
    expect(await commandOf(id, command)).toMatchObject({ state: 'undone' });
    await consistent(id);

    expect(await undo(id, undone.body.command)).toMatchObject({ body: { inBackground: true } });
    await ended(id);
    expect((await valuesOf(id, 'title'))[1_499]).toBe('Pot 1500');
    expect(await commandOf(id, command)).toMatchObject({ state: 'applied' });
    await consistent(id);
    const { rows: work } = await stack.database.pool.query('select 1 from command_targets');
    expect(work).toEqual([]);
  });

  it.runIf(isLong)('compares duplicates once at its end', async () => {
    const id = await processed(productCsv(900));
    const { body } = await apply(id, {}, [{ kind: 'cut', field: 'sku', chars: 4 }]);
    expect(body).toMatchObject({ inBackground: true });
    await ended(id);
    await consistent(id);
    const cut = await apply(id, {}, [{ kind: 'set', field: 'sku', value: 'V' }]);
    await ended(id);
    await consistent(id);
    expect(cut.status).toBe(200);
    await undo(id, cut.body.command);
    await ended(id);
    await consistent(id);
  });

  it.runIf(isLong)('leaves few rows of products with many rows to a task, and their undo', async () => {
    const rows = Array.from({ length: 2_100 }, (_, at) => [
      `vase-${at % 21}`,
      `Vase ${at % 21}`,
      '10',
      `${at}`,
    ]);
    const csv = csvOf([['Handle', 'Title', 'Price', 'Option1 Value'], ...rows.toSorted()]);
    const id = await processed(csv);
    const firsts = Array.from({ length: 21 }, (_, at) => 1 + 100 * at);
    const few = await apply(id, { rows: firsts.slice(1) }, [addTenPercent]);
    expect(few).toMatchObject({ body: { inBackground: false, rows: 20 } });
    const { body } = await apply(id, { rows: firsts }, [addTenPercent]);
    expect(body.inBackground).toBe(true);
    await ended(id);
    expect(await commandOf(id, body.command)).toMatchObject({ state: 'applied', rows: 21 });
    expect(await undo(id, body.command)).toMatchObject({ status: 200, body: { inBackground: true } });
    await ended(id);
    expect(await undo(id, few.body.command)).toMatchObject({ status: 200, body: { inBackground: false } });
    expect(new Set(await valuesOf(id, 'price'))).toEqual(new Set(['10']));
    await consistent(id);
  });

  it('fills cells down over its parts, and changes rows of a product that are apart only once', async () => {
    const rows = Array.from({ length: 700 }, (_, at) => [
      `Vase ${at}`,
      '10',
      at % 100 === 0 ? `Type ${at}` : '',
      at % 350 === 0 ? 'apart' : `vase-${at}`,
    ]);
    const id = await processed(csvOf([['Title', 'Price', 'Type', 'Handle'], ...rows]));
    const { body } = await apply(id, {}, [{ kind: 'fill-down', field: 'itemNumber' }, addTenPercent]);
    expect(body).toMatchObject({ inBackground: true });
    await ended(id);
    expect(new Set(await valuesOf(id, 'price'))).toEqual(new Set(['11.00']));
    await apply(id, {}, [{ kind: 'fill-down', field: 'type' }]);
    await ended(id);
    const types = await valuesOf(id, 'type');
    expect([types[1], types[99], types[250], types[699]]).toEqual([
      'Type 0',
      'Type 0',
      'Type 200',
      'Type 600',
    ]);
    await consistent(id);
  });
});
