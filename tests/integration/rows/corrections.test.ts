import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Corrections } from '@draftshelf/contract/review/corrections';
import { beginExpiredRemovals } from '@draftshelf/core/operate/remove-old';
import { removeOldEntries } from '@draftshelf/core/operate/retention/old-entries';
import { applyCountChanges } from '@draftshelf/core/reading/refresh-products';
import { applyNextPart } from '@draftshelf/core/review/commands/apply-next-part';
import { undoCommand } from '@draftshelf/core/review/commands/begin-undo';
import { insertTarget } from '@draftshelf/core/review/commands/command-targets';
import { applyCorrections } from '@draftshelf/core/review/corrections/apply-corrections';
import { toCorrectionsSource } from '@draftshelf/core/review/corrections/check-corrections';
import { compareRecords } from '@draftshelf/core/review/corrections/compare-records';
import { toShownRun } from '@draftshelf/core/review/search/row-sql';
import { readLimitsDefault } from '@draftshelf/csv/limits';
import { rowKeyColumn } from '@draftshelf/csv/own-download';
import { readRecords } from '@draftshelf/object-storage/read-records';
import { afterEach, describe, expect } from 'vitest';
import { csvForm } from '../../support/api-client.ts';
import { commandEnded, rowDifferences } from '../../support/command-steps.ts';
import { storedCorrections } from '../../support/corrected-file.ts';
import { csvOf, until } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { refreshed } from '../../support/refreshed-rows.ts';
import { changedDownload, spreadsheets } from '../../support/spreadsheets.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(readers);
const { read, processed, accepted, rowsOf } = importSteps(() => stack);
// Imports of earlier tests count as pushed, so that those of later ones are not compared with them.
afterEach(() => stack.database.pool.query('update imports set push_run = 1'));

const call = async (method: string, address: string, body?: object) => {
  const answer = await stack.api.call(method, address, body ? { body } : {});
  return answer as { status: number; body: Record<string, unknown> & { command: string; message: string } };
};
const download = async (id: string, query = '') =>
  (await stack.api.call('GET', `/api/queue/${id}/corrections.csv${query}`)).body as string;
const send = (id: string, file: string | Uint8Array<ArrayBuffer>, filename = 'fixed.csv') =>
  stack.api.upload(csvForm(file, { filename }), `/api/queue/${id}/corrections`);

/** Uploads a file and waits until it is compared. */
async function compared(
  id: string,
  file: string | Uint8Array<ArrayBuffer>,
  filename?: string,
): Promise<Corrections> {
  const { status, body } = await send(id, file, filename);
  expect(status, JSON.stringify(body)).toBe(200);
  const address = `/api/queue/${id}/corrections/${(body as { id: string }).id}`;
  let found: Corrections | undefined;
  await until('the file is compared', async () => {
    found = (await call('GET', address)).body as unknown as Corrections;
    return found.state !== 'comparing';
  });
  return found as Corrections;
}

async function applied(id: string, corrections: Corrections): Promise<string> {
  const { status, body } = await call('POST', `/api/queue/${id}/corrections/${corrections.id}/apply`);
  expect(status, JSON.stringify(body)).toBe(200);
  await commandEnded(stack, id);
  return body.command;
}

const valuesOf = async (id: string) => (await rowsOf(id)).map(({ values }) => values);

const consistent = async (id: string) => expect(await rowDifferences(stack, id)).toEqual([]);

const list = csvOf([
  ['Title', 'Price', 'SKU', 'UPC', 'Row', 'Note', 'Size'],
  ['Lamp', '10.00', '00123', '036000291452', 'a', '=1+1', '3/4'],
  ['Vase', 'ask', 'V-1', '012345678905', 'b', '', 'TRUE'],
  ['Bowl', '30.50', 'B-1', '', 'c', 'x', '1-2'],
]);

describe('a corrections file', () => {
  it('has a key, the problems and the values of each row, and only changed cells become a command', async () => {
    const id = await processed(list.replace('Lamp', 'Torch'));
    await call('PATCH', `/api/queue/${id}/rows/3`, { values: { title: 'Bowl, blue', cost: '4' } });
    const csv = await download(id);
    expect(csv.split('\r\n')[0]).toBe(
      'Draftshelf row,Row,Problems,Title,Price,SKU,UPC,Row (2),Note,Size,Cost',
    );
    expect(csv).toContain(`"Bowl, blue",30.50,B-1,,c,x,1-2,4`);
    expect(csv).toMatch(/,2,[^,]*[Pp]rice[^\r]*,Vase,ask,V-1,012345678905,b,,TRUE,\r\n/);
    expect(csv).toContain(`'=1+1`);

    const corrections = await compared(
      id,
      changedDownload(csv, (row) =>
        row.Title === 'Vase'
          ? { ...row, Price: '25', Note: 'new', Cost: '7' }
          : { ...row, Title: `${row.Title} ` },
      ),
    );
    expect(corrections).toMatchObject({
      ...{ state: 'compared', filename: 'fixed.csv', rows: 1, lines: { change: 2 }, unknown: [] },
      records: { compared: 3, total: 3 },
      fields: [
        { field: 'price', changed: 1, emptied: 0, filled: 3 },
        { field: 'cost', changed: 1, emptied: 0, filled: 1 },
      ],
    });
    expect(corrections.unused).toEqual(['Note']);
    expect(corrections.examples).toContainEqual({
      ...{ line: 3, row: 2, field: 'price', kind: 'change', before: 'ask', now: 'ask', after: '25' },
    });
    const command = await applied(id, corrections);
    expect(await valuesOf(id)).toMatchObject([
      { title: 'Torch', price: '10.00', sku: '00123' },
      { title: 'Vase', price: '25', cost: '7' },
      { title: 'Bowl, blue', price: '30.50' },
    ]);
    await consistent(id);
    const history = (await call('GET', `/api/queue/${id}/edits`)).body.commands;
    expect(history).toMatchObject([
      {
        id: command,
        kind: 'corrections',
        sentence: 'Corrections of fixed.csv applied',
        rows: 1,
        state: 'applied',
      },
      { kind: 'single' },
    ]);
    const again = await call('POST', `/api/queue/${id}/corrections/${corrections.id}/apply`);
    expect(again).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('applied already') },
    });

    const undone = await call('POST', `/api/queue/${id}/edits/${command}/undo`);
    expect(undone.status).toBe(200);
    expect((await valuesOf(id))[1]).toMatchObject({ price: 'ask' });
    expect((await call('POST', `/api/queue/${id}/edits/${undone.body.command}/undo`)).status).toBe(200);
    expect((await valuesOf(id))[1]).toMatchObject({ price: '25', cost: '7' });
    await consistent(id);
    // What was downloaded before all this still shows what is now: nothing is a change any more.
    expect((await compared(id, await download(id))).lines).toEqual({});
  });

  it('reports conflicts with values of now, also of an old download, and leaves what is edited before it is applied', async () => {
    const id = await processed(list.replace('Lamp', 'Candle'));
    const csv = await download(id);
    await call('PATCH', `/api/queue/${id}/rows/1`, { values: { price: '11', title: 'Candle, red' } });
    await call('PATCH', `/api/queue/${id}/rows/2`, { values: { price: '20' } });
    const corrections = await compared(
      id,
      changedDownload(csv, (row) => ({
        ...row,
        Price: { ask: '20.00', '10.00': '12' }[row.Price ?? ''] ?? '31',
      })),
    );
    // The title was edited here only, and the second price to the same value.
    expect(corrections).toMatchObject({ lines: { change: 1, conflict: 1 }, rows: 1 });
    expect(corrections.examples).toContainEqual({
      ...{ line: 2, row: 1, field: 'price', kind: 'conflict', before: '10.00', now: '11', after: '12' },
    });
    await call('PATCH', `/api/queue/${id}/rows/3`, { values: { price: '99' } });
    await applied(id, corrections);
    expect((await valuesOf(id)).map(({ price }) => price)).toEqual(['11', '20', '99']);
    const report = (await stack.api.call('GET', `/api/queue/${id}/corrections/${corrections.id}/report.csv`))
      .body;
    expect(String(report).split('\r\n').slice(1, 3)).toEqual([
      '2,1,Price,"Edited here since the download, to another value.",10.00,11,12',
      '4,3,Price,"Not changed: edited here in the meantime, or the change was stopped.",30.50,30.50,31',
    ]);
    await consistent(id);
  });

  it('takes rows in any order, some of the columns, repeated rows, and says what it cannot take', async () => {
    const id = await processed(list.replace('Lamp', 'Clock'));
    const csv = await download(id);
    const [header = '', lamp = '', vase = '', bowl = ''] = csv.split('\r\n');
    const price = (row: string, from: string, to: string) => row.replace(`,${from},`, `,${to},`);
    const lines = [
      header,
      price(bowl, '30.50', '=B2*1.2'),
      price(bowl, '30.50', '=B2*1.2'),
      price(vase, 'ask', '5'),
      price(vase, 'ask', '6'),
      lamp.replace('00123', '12. Mrz').replace('10.00', '-3'),
      lamp.replace(/^r/, 'x'),
      lamp.replace(/^[^,]*/, ''),
    ];
    const corrections = await compared(id, `${lines.join('\r\n')}\r\n`);
    const { change: _, ...others } = corrections.lines;
    expect(others).toEqual({
      formula: 1,
      ambiguous: 2,
      'not-allowed': 1,
      date: 1,
      'changed-key': 1,
      'no-key': 1,
    });
    expect(corrections.rows).toBe(0);
    const refused = await call('POST', `/api/queue/${id}/corrections/${corrections.id}/apply`);
    expect(refused).toMatchObject({ status: 409, body: { message: 'There are no rows to change.' } });

    const key = (row: string) => row.split(',')[0] ?? '';
    const few = await compared(
      id,
      `Price\tDraftshelf row\tBrand\tShelf\r\n31\t${key(bowl)}\tAcme\t7\r\n`,
      'fixed.tsv',
    );
    expect(few).toMatchObject({ lines: { change: 2 }, unknown: ['Shelf'] });
    await applied(id, few);
    expect((await valuesOf(id))[2]).toMatchObject({ price: '31', vendor: 'Acme', title: 'Bowl' });
  });

  it('changes values that a product has once in its first row', async () => {
    const id = await processed(
      csvOf([
        ['Handle', 'Title', 'Price', 'Vendor', 'Option1 Name', 'Option1 Value'],
        ['jar', 'Jar', '10', 'Acne', 'Size', 'S'],
        ['jar', '', '20', 'Acne', 'Size', 'M'],
      ]),
    );
    const corrections = await compared(
      id,
      changedDownload(await download(id), (row) => ({
        ...row,
        Vendor: 'Acme',
        Title: row.Row === '2' ? 'Jug' : 'Jar',
      })),
    );
    // The second row says what the first one has.
    const repeated = changedDownload(await download(id), (row) => ({ ...row, Title: 'Jar' }));
    expect((await compared(id, repeated)).lines).toEqual({});
    expect(corrections.lines).toEqual({ change: 1, 'of-product': 1 });
    expect(corrections.examples).toContainEqual(
      expect.objectContaining({ kind: 'of-product', field: 'title', after: 'Jug' }),
    );
    await applied(id, corrections);
    await consistent(id);
  });

  it('has the rows of a filter, and is refused with a sentence if it is none of this import', async () => {
    const id = await processed(list.replace('Lamp', 'Mirror'));
    const other = await processed(list.replace('Lamp', 'Frame'));
    const csv = await download(id, '?q=mirror');
    expect(csv.trim().split('\r\n')).toHaveLength(2);
    const messageOf = async (importId: string, file: string) => {
      const { status, body } = await send(importId, file);
      expect(status).toBe(400);
      return (body as { message: string }).message;
    };
    expect(await messageOf(other, csv)).toBe(
      'These corrections belong to “products.csv”. Upload them there.',
    );
    expect(await messageOf(id, list)).toContain('no column “Draftshelf row”');
    expect(await messageOf(id, csv.replace(/\r\nr\w+-/, '\r\nx-'))).toContain('have lost their keys');
    const key = csv.split('\r\n')[1]?.split(',')[0] ?? '';
    const added = `${'x,,,,,\r\n'.repeat(150)}`;
    expect((await compared(id, csv.replace('\r\nr', `\r\n${added}r`))).lines).toEqual({ 'changed-key': 150 });
    expect(await call('GET', `/api/corrected/${key}`)).toMatchObject({
      ...{ status: 200, body: { id, filename: 'products.csv' } },
    });
    expect((await call('GET', '/api/corrected/none')).status).toBe(404);
  });

  it('is refused after another reading of the file, and a new upload of an old download is taken', async () => {
    const id = await processed(list.replace('Lamp', 'Stool'));
    const csv = await download(id);
    const changed = changedDownload(csv, (row) => ({
      ...row,
      Price: row.Price === 'ask' ? '8' : (row.Price ?? ''),
    }));
    const corrections = await compared(id, changed);
    const reread = await call('PUT', `/api/queue/${id}/mapping`, { Note: 'vendor' });
    expect(reread.status, JSON.stringify(reread.body)).toBe(200);
    await until('the file is read again', async () => {
      const { rows_run, status } = await read(id);
      return rows_run === 2 && status !== 'processing';
    });
    const apply = `/api/queue/${id}/corrections/${corrections.id}`;
    expect((await call('GET', apply)).body).toMatchObject({ state: 'outdated' });
    expect((await call('POST', `${apply}/apply`)).status).toBe(409);
    const again = await compared(id, changed);
    expect(again.lines).toEqual({ change: 1 });
    await applied(id, again);
    expect((await valuesOf(id))[1]).toMatchObject({ price: '8' });
  });
});

it.runIf(isLong)('many changes of a corrections file are put together and applied in parts', async () => {
  const rows = Array.from({ length: 2_600 }, (_, at) => [`Glass ${at}`, '10', `C-${at}`]);
  const id = await processed(csvOf([['Title', 'Price', 'SKU'], ...rows]));
  const changed = changedDownload(await download(id), (row) => ({
    ...row,
    ...{ Title: `New ${row.Title}`, Price: '15' },
  }));
  const [, first = ''] = changed.split('\r\n');
  const corrections = await compared(id, `${changed}\r\n${first.replace(',15,', ',16,')}\r\nx\r\n`);
  expect(corrections).toMatchObject({ rows: 2_599, records: { compared: 2_602, total: 2_602 } });
  expect(corrections.lines).toEqual({ change: 5_198, ambiguous: 4, 'changed-key': 1 });
  expect(corrections.fields).toMatchObject([
    { field: 'title', changed: 2_599, filled: 2_601 },
    { field: 'price', changed: 2_599, filled: 2_601 },
  ]);
  await applied(id, corrections);
  const { rows: prices } = await stack.database.pool.query(
    'select count(*)::int as edits, count(distinct byte_from)::int as rows from edits where import_id = $1',
    [id],
  );
  expect(prices).toEqual([{ edits: 5_198, rows: 2_599 }]);
});

describe('while a corrections file is away', () => {
  const branded = csvOf([
    ['Title', 'Price', 'SKU', 'Brand'],
    ['Tray', '10.00', 'T-1', ''],
    ['Cup', '20.00', 'C-1', ''],
  ]);
  const find = async (id: string, row: number, value: string) => {
    await stack.database.pool.query(
      `insert into found_values (import_id, run, row, field, value, source) values ($1, 1, $2, 'vendor', $3, 'own')
       on conflict (import_id, run, row, field) do update set value = excluded.value, found_at = now()`,
      [id, row, value],
    );
    await refreshed(stack.database.db, id, [row]);
  };
  const withBrands = (csv: string, ...brands: string[]) =>
    changedDownload(csv, (row) => ({ ...row, Brand: brands[Number(row.Row) - 1] ?? '' }));

  it('a look-up finds values, and the file still says what the operator has changed', async () => {
    const id = await processed(branded);
    const csv = await download(id);
    await find(id, 1, 'Found');
    expect((await compared(id, csv)).lines).toEqual({});
    const corrections = await compared(id, withBrands(csv, 'Acme', 'Beta'));
    expect(corrections.lines).toEqual({ change: 2 });
    await find(id, 2, 'Found');
    await applied(id, corrections);
    expect(await valuesOf(id)).toMatchObject([{ vendor: 'Acme' }, { vendor: 'Beta' }]);
    await consistent(id);
  });

  it('found values are replaced or lost, and nothing but a changed cell is listed', async () => {
    const id = await processed(branded.replace('Tray', 'Plate'));
    await find(id, 1, 'Found');
    await find(id, 2, 'Found');
    const csv = await download(id);
    expect(csv).toContain(',T-1,Found');
    await find(id, 1, 'Other');
    await stack.database.pool.query('delete from found_values where import_id = $1 and row = 2', [id]);
    await refreshed(stack.database.db, id, [2]);
    expect((await compared(id, csv)).lines).toEqual({});
    expect((await compared(id, withBrands(csv, 'Acme', 'Found'))).lines).toEqual({ 'found-since': 1 });
  });

  it('a redo after a stop leaves what was edited before the corrections were applied', async () => {
    const id = await processed(branded.replace('Tray', 'Dish'));
    const corrections = await compared(
      id,
      changedDownload(await download(id), (row) => ({ ...row, Price: '15' })),
    );
    await call('PATCH', `/api/queue/${id}/rows/2`, { values: { price: '99' } });
    const undone = await accepted(async (trx) => {
      const begun = await applyCorrections(trx, id, corrections.id, 'call');
      if (!begun.ok) return begun;
      const { command } = begun;
      const record = await read(id);
      await insertTarget(trx, { ...toShownRun(record), command: command.id }, [1, 2]);
      const part = await applyNextPart(trx, record, { command, base: command }, 1);
      if (part && 'changed' in part) await applyCountChanges(trx, record, part.changed);
      return undoCommand(trx, id, command.id);
    });
    await commandEnded(stack, id);
    expect((await valuesOf(id)).map(({ price }) => price)).toEqual(['10.00', '99']);
    expect((await call('POST', `/api/queue/${id}/edits/${undone.command}/undo`)).status).toBe(200);
    await commandEnded(stack, id);
    expect((await valuesOf(id)).map(({ price }) => price)).toEqual(['15', '99']);
    await consistent(id);
  });

  it('a failed comparison does not keep the next file from being compared', async () => {
    const id = await processed(branded.replace('Tray', 'Bowl'));
    const csv = await download(id);
    const failed = await compared(id, csv);
    await stack.database.pool.query(
      `update corrections set state = 'comparing', object_key = 'imports/gone', at = '{"byte":0,"line":1,"row":1}'
       where id = $1`,
      [failed.id],
    );
    await stack.database.pool.query(`update chunks set state = 'dead' where import_id = $1 and task = $2`, [
      id,
      'compare-corrections',
    ]);
    const address = `/api/queue/${id}/corrections/${failed.id}`;
    expect((await call('GET', address)).body).toMatchObject({ state: 'failed' });
    expect((await compared(id, csv)).state).toBe('compared');
    expect((await call('GET', address)).body).toMatchObject({ state: 'failed' });
    const { rows } = await stack.database.pool.query(
      `select state from chunks where import_id = $1 and task = 'compare-corrections' order by id`,
      [id],
    );
    expect(rows).toEqual([{ state: 'dropped' }, { state: 'done' }]);
  });

  it('is kept for 30 days, and as long as it is being applied', async () => {
    const id = await processed(branded.replace('Tray', 'Mug'));
    const changed = changedDownload(await download(id), (row) => ({ ...row, Price: '15' }));
    const [waiting, begun] = [await compared(id, changed), await compared(id, changed)];
    const { pool } = stack.database;
    const applied = await accepted((trx) => applyCorrections(trx, id, begun.id, 'call'));
    await commandEnded(stack, id);
    await pool.query(`update chunks set state = 'dead' where command = $1`, [applied.command.id]);
    await pool.query(`update corrections set created_at = now() - interval '31 days' where import_id = $1`, [
      id,
    ]);
    await beginExpiredRemovals(stack.database, { keepRowsDays: null, keepFilesDays: null });
    while ((await removeOldEntries(stack.database)) > 0);
    const cellsOf = async (corrections: string) =>
      (await pool.query('select 1 from correction_cells where corrections = $1', [corrections])).rowCount;
    expect([await cellsOf(waiting.id), await cellsOf(begun.id)]).toEqual([0, 2]);
    const address = `/api/queue/${id}/corrections/${waiting.id}`;
    expect((await call('GET', address)).body).toMatchObject({ state: 'removed' });
    await pool.query(`update chunks set state = 'done' where command = $1`, [applied.command.id]);
    expect(await call('POST', `${address}/apply`)).toMatchObject({
      ...{
        status: 409,
        body: { message: 'These corrections expired after 30 days. Upload the file again.' },
      },
    });
  });
});

const fixtures = path.resolve('tests/fixtures');
const tricky = csvOf([
  ['Title', 'Price', 'SKU', 'UPC', 'Size', 'Description', 'Qty', 'Weight', 'Published'],
  ['漢字 Lamp', '1234.50', '00012345', '036000291452', '3/4', 'one\ntwo', '5', '0.50', 'true'],
  ['Øre “x”', '0.99', '12E5', '8809530410015', '1-2', "=cmd|' /C calc'!A0", '007', '1.25', 'FALSE'],
  ['-5 °C', '7', '12345678901234567890', '', '007', '@home', '1000000', '', 'true'],
]);
const files: [string, string][] = [
  ['tricky.csv', tricky],
  ...readdirSync(fixtures)
    .filter((name) => name.endsWith('.csv'))
    .filter((_name, at) => isLong || at % 8 === 0)
    .map((name): [string, string] => [name, readFileSync(path.join(fixtures, name), 'utf8')]),
];

/**
 * What a file that came back would change, read and compared as an upload, but not stored. `keys`: by row, in place of
 * those in the file.
 */
async function differencesIn(id: string, file: Uint8Array<ArrayBuffer>, keys?: readonly string[]) {
  const { key: object, at, source, taken } = await storedCorrections(stack, file);
  const table = { ...source, key: object };
  const given = await readRecords(stack.storage, table, { at, max: 1_000, limits: readLimitsDefault });
  const key = source.headers.indexOf(rowKeyColumn);
  const records = given.records.map(({ line, cells }) => ({
    line,
    cells: keys ? cells.with(key, keys[Number(cells[key + 1]) - 1] ?? '') : cells,
  }));
  const withMarks = toCorrectionsSource(taken.read, records, source.bytes);
  const { lines, counts } = await compareRecords(
    stack.database.db,
    await read(id),
    { source: withMarks },
    records,
  );
  return {
    lines: lines.filter(({ kind }) => kind !== 'date'),
    unused: counts.unused,
    records: records.length,
  };
}

it('nothing changes in an untouched round trip through LibreOffice', async () => {
  const folder = path.join(fixtures, 'corrections');
  const id = await processed(readFileSync(path.join(folder, 'list.csv'), 'utf8'));
  const keys = [...(await download(id)).matchAll(/^r[\da-z-]+(?=,)/gm)].map(([key]) => key);
  for (const [name, unclear] of [
    ['libreoffice-en.csv', ['upc 1,250 → 1250']],
    ['libreoffice-en.xlsx', ['upc 1,250 → 1250']],
    ['libreoffice-de.csv', ['sku 1.250 → 1250', 'quantity 1,299 → 1.299']],
    ['libreoffice-de.ods', ['sku 1.250 → 1250', 'quantity 1,299 → 1.299']],
  ] as const) {
    const file = new Uint8Array(readFileSync(path.join(folder, name)));
    const { lines, ...found } = await differencesIn(id, file, keys);
    expect({ name, ...found }).toEqual({ name, unused: {}, records: 7 });
    const listed = lines.map(({ kind, field, before, after }) => `${kind} ${field} ${before} → ${after}`);
    expect(listed, name).toEqual(unclear.map((words) => `unclear ${words}`));
  }
});

it.runIf(isLong)('nothing changes in an untouched round trip through spreadsheets', async () => {
  const ids = await Promise.all(files.map(([, csv]) => processed(csv)));
  for (const [at, [name]] of files.entries()) {
    const id = ids[at] ?? '';
    const untouched = await download(id);
    const { records } = await differencesIn(id, new Uint8Array(Buffer.from(untouched)));
    for (const spreadsheet of spreadsheets) {
      const found = await differencesIn(id, await spreadsheet.save(untouched));
      expect({ name, spreadsheet: spreadsheet.name, ...found }).toEqual({
        ...{ name, spreadsheet: spreadsheet.name, lines: [], unused: {}, records },
      });
    }
  }
});
