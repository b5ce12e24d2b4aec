import { randomUUID } from 'node:crypto';
import { migrate } from '@draftshelf/database/migrations/migrate';
import { findPreview } from '@draftshelf/database/push/previews/previews';
import { readUndoOfRun } from '@draftshelf/database/push/previews/push-undos';
import { pageUndoLines, readOpenLines } from '@draftshelf/database/push/previews/undo-lines';
import { expect } from 'vitest';
import { openEmptyInstallation } from '../../support/empty-installation.ts';
import { test } from '../../support/test.ts';

test('undos of the version before go on with their choices and results, and its plans are made again', async () => {
  const fixture = await openEmptyInstallation();
  const { database } = fixture;
  const sql = (text: string, values: unknown[] = []) => database.pool.query(text, values);
  const id = randomUUID();
  try {
    await migrate(database, '0052-undone-counts');
    await sql(
      `insert into imports (id, filename, file_bytes, sha256, object_key, status, test_mode, enable_upc, enable_ai,
         open_chunks, total_rows, total_products, product_numbers)
       values ($1::uuid, 'a.csv', 1, '', $1::text, 'uploading', false, false, false, 0, 3, 3, 3)`,
      [id],
    );
    await sql(
      `insert into plans (import_id, rows_run, made_from, last_edit, ended_at) values ($1, 1, '{}', 0, now())`,
      [id],
    );
    await sql(`insert into plan_lines (plan, product, outcome) values (1, 1, 'created')`);
    await sql(`insert into plan_live (plan, product, live) values (1, 1, '{}')`);
    await sql(
      `insert into push_choices (shop, our_id, about, basis, choice, import_id)
       values ('shop', 'a', 'drifted', 'b', 'use-ours', $1)`,
      [id],
    );
    await sql(
      `insert into push_undos (import_id, push_run, made_at_run, shop, when_unsure, total, sums, choices, previewed_at,
         run, results)
       values ($1, 1, 1, 'shop', 'keep', 3, '{"delete::":1,"keep:changed:choice":2}', '{"changed":"archive"}', now(),
         2, '{"delete::":1}')`,
      [id],
    );
    await sql(
      `insert into undo_lines (undo, line, our_id, title, action, code, kept, choosable, choice, result)
       values (1, 1, 'a', 'A', 'delete', null, null, false, null, 'delete'),
         (1, 2, 'b', 'B', 'keep', 'changed', '["title"]', true, 'delete', null),
         (1, 3, 'c', 'C', 'keep', 'changed', null, true, null, null)`,
    );
    expect(await migrate(database)).toContain('0057-previews');

    const { db } = database;
    const undo = await readUndoOfRun(db, id, 2);
    expect(await findPreview(db, id, 'undo')).toEqual(undo);
    expect(undo).toMatchObject({
      ...{ kind: 'undo', undoes_run: 1, made_at_run: 1, total: 3, run: 2, ended_at: null },
      ...{ choices: { changed: 'archive' }, results: { 'delete::': 1 } },
    });
    expect(await readOpenLines(db, undo.id, { first: 1, lines: 3 })).toMatchObject([
      { line: 2, our_id: 'b', action: 'keep', kept: ['title'], choice: 'delete' },
      { line: 3, our_id: 'c', action: 'keep', choosable: true, choice: null },
    ]);
    const page = await pageUndoLines(db, undo, {}, { after: 0, limit: 10 });
    expect(page.map(({ line, choiceForAll }) => [line, choiceForAll])).toEqual([
      [1, null],
      [2, 'archive'],
      [3, 'archive'],
    ]);
    expect(await findPreview(db, id, 'push')).toBeUndefined();
    expect((await sql('select choice from push_choices')).rows).toEqual([{ choice: 'use-ours' }]);

    // A process of the version before begins another undo, previews it, and removes the earlier one.
    const written = (text: string, values: unknown[]) => sql(text, values).then(({ rowCount }) => rowCount);
    const replace =
      'update push_undos set replaced_at = clock_timestamp() where import_id = $1 and replaced_at is null';
    expect(await written(replace, [id])).toBe(1);
    const insert = `insert into push_undos (import_id, push_run, shop, made_at_run, when_unsure)
      values ($1, 1, 'shop', 3, 'archive')`;
    expect(await written(insert, [id])).toBe(1);
    const next = await findPreview(db, id, 'undo');
    const line = `insert into undo_lines (undo, line, our_id, title, action, code, kept, choosable)
      values ($1, 1, 'a', 'A', 'keep', 'changed', null, true)`;
    expect(await written(line, [next?.id])).toBe(1);
    const choose = `update undo_lines set choice = 'archive' where undo = $1 and line = 1`;
    expect(await written(choose, [next?.id])).toBe(1);
    const end = `update push_undos set total = 1, sums = '{"keep:changed:choice":1}', previewed_at = now() where id = $1`;
    expect(await written(end, [next?.id])).toBe(1);
    expect(await findPreview(db, id, 'undo')).toMatchObject({
      kind: 'undo',
      when_unsure: 'archive',
      total: 1,
    });
    expect(await readOpenLines(db, Number(next?.id), { first: 1, lines: 1 })).toMatchObject([
      { our_id: 'a', action: 'keep', choice: 'archive' },
    ]);
    const remove = (table: string, which: string) =>
      written(
        `delete from ${table} where ctid = any(array(select ctid from ${table} where ${which} = $1 limit 9))`,
        [undo.id],
      );
    expect(await remove('undo_lines', 'undo')).toBe(3);
    expect(await remove('push_undos', 'id')).toBe(1);
    expect((await sql('select id from previews')).rows).toEqual([{ id: next?.id }]);
  } finally {
    await fixture.close();
  }
});
