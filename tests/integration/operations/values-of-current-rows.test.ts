import { randomUUID } from 'node:crypto';
import { up } from '@draftshelf/core/migrations/0118-values-of-current-rows';
import { expect } from 'vitest';
import { storedImport } from '../../support/fixture.ts';
import { test } from '../../support/test.ts';

test('an upgrade during a re-read takes back what that has carried, and repeats its last steps', async ({
  fixture,
}) => {
  const { db, pool } = fixture.database;
  const { id } = await storedImport(fixture, { csv: 'Title,Price,SKU\nVase,12,V-1\n' });
  const [former, undo, command] = [randomUUID(), randomUUID(), randomUUID()];
  const finalize = { step: 'apply edits', at: 0, carried: { command, undo: [undo], proposalsAfter: 0 } };
  await pool.query(
    `insert into runs (import_id, stage, run, kind, finalize) values ($1, 'parse', 2, 'reread', $2)`,
    [id, JSON.stringify(finalize)],
  );
  await pool.query('update imports set parse_run = 2, rows_run = 1 where id = $1', [id]);
  await pool.query(
    `insert into edit_commands (id, import_id, kind, undoes, rows, edits, state, carried) values
       ($2, $1, 'carried', null, 1, 1, 'undone', '{"supplier": 1}'),
       ($3, $1, 'undo', $2, 1, 1, 'applied', '{"supplier": 1}'),
       ($4, $1, 'carried', null, 1, 1, 'applied', '{"supplier": 2}')`,
    [id, former, undo, command],
  );
  for (const [by, after] of [
    [former, '14'],
    [undo, null],
    [command, '15'],
  ]) {
    await pool.query(
      `insert into edits (import_id, command, row, byte_from, field, after, set_at)
       values ($1, $2, 1, 16, 'price', $3, now())`,
      [id, by, after],
    );
  }
  await pool.query(
    `insert into proposals (import_id, row, byte_from, field, before, value, source, reason, state) values
       ($1, -1, 16, 'price', '14', '12', 'replaced by run 2', 'changed', 'open'),
       ($1, 1, 16, 'price', '15', '13', 'supplier', 'changed', 'open'),
       ($1, -1, 16, 'title', 'a', 'b', 'replaced by run 2', 'changed', 'dismissed'),
       ($1, 1, 16, 'title', 'a', 'b', 'supplier', 'changed', 'taken')`,
    [id],
  );
  await db.transaction().execute((trx) => up(trx as unknown as Parameters<typeof up>[0]));
  const values = async (statement: string) =>
    (await pool.query({ text: statement, values: [id], rowMode: 'array' })).rows;
  expect(await values('select after from edits where import_id = $1')).toEqual([['14']]);
  expect(await values('select id, state from edit_commands where import_id = $1')).toEqual([
    [former, 'applied'],
  ]);
  expect(
    await values(
      'select row, field, value, source, state from proposals where import_id = $1 order by field',
    ),
  ).toEqual([
    [1, 'price', '12', 'supplier', 'open'],
    [1, 'title', 'b', 'supplier', 'taken'],
  ]);
  expect(await values('select finalize from runs where import_id = $1 and run = 2')).toEqual([
    [{ step: 'propose statuses', at: 0, carried: null }],
  ]);
});
