import { randomUUID } from 'node:crypto';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { savePreferences } from '@draftshelf/core/access/preferences';
import { saveSettings } from '@draftshelf/core/access/settings';
import { requestSignIn } from '@draftshelf/core/folders/sign-ins';
import { uploadSweepsMax } from '@draftshelf/core/imports/uploads';
import { beginAudit, readAudits } from '@draftshelf/core/operate/audit/audits';
import { upsertShop } from '@draftshelf/core/push/store/shops';
import { requestMergeOrDelete } from '@draftshelf/core/suppliers/change-supplier';
import { requestTask, requestTaskIfIdle } from '@draftshelf/core/work/background-tasks';
import {
  type BackgroundKind,
  type BackgroundKindsOf,
  backgroundKinds,
  backgroundTaskOf,
} from '@draftshelf/domain/work/task-catalog';
import { list } from '@draftshelf/object-storage/objects';
import { putStream } from '@draftshelf/object-storage/put-stream';
import { productCsv } from '../support/fixture.ts';
import { folderImport } from '../support/folder-import.ts';
import { askForLook, dropFile } from '../support/folder-steps.ts';
import { demoShop } from '../support/merchant-product.ts';
import type { Stack } from '../support/stack.ts';

/** What a handler does when its task is requested. */
export type HandlerWork = {
  /** The statement after which it is held: a part of its work is written and not committed. */
  heldAfter: string;
  /** Writes what is to be done, and requests the task. Returns whether it is done, exactly once. */
  begin(): Promise<() => Promise<boolean>>;
};

/** What the keeper does is in files, and tests/integration/operations/keeper.test.ts interrupts it. */
export type HeldKind = Exclude<BackgroundKind, BackgroundKindsOf<'keeper'>>;
export const heldKinds = backgroundKinds.filter(
  (kind): kind is HeldKind => backgroundTaskOf(kind).place !== 'keeper',
);

/** A file that an import or a folder has, which no other test has. */
const uniqueName = (prefix: string) => `${prefix}-${randomUUID().slice(0, 8)}`;

/** The work of each handler of the catalog on a stack with a store of pushed products. */
export function handlerWork(stack: Stack): Record<HeldKind, HandlerWork> {
  const { database, storage } = stack;
  const { db, pool } = database;
  const countOf = async (query: string, values: unknown[] = []): Promise<number> =>
    (await pool.query<{ count: number }>(`select count(*)::int as count from ${query}`, values)).rows[0]
      ?.count ?? 0;
  const isImportedOnce = (name: string) => async () =>
    (await countOf('imports where filename = $1', [name])) === 1 &&
    (await countOf(`watched_files where name = $1 and state = 'taken'`, [name])) === 1;
  const dropNew = async () => {
    const name = `${uniqueName('dropped')}.csv`;
    await dropFile(stack.watchFolder, name, `${productCsv(2)}${name},1.00,${name}\r\n`);
    await askForLook(stack);
    return name;
  };
  const readFromFolder = async (mode: 'manual' | 'full-auto') => {
    const name = uniqueName('read');
    const csv = `Title,Price,SKU\r\n${name},9.50,${name}\r\n`;
    const { id } = await folderImport(stack, { csv, path: `${name}.csv`, mode });
    return { id, name };
  };

  /** Two suppliers with a product each, of which the first leaves. `items`: what the other one has then. */
  const leaving = async (
    begin: (id: number, into: number) => ReturnType<typeof requestMergeOrDelete>,
    items: number,
  ) => {
    const insert = async () => {
      const { rows } = await pool.query('insert into suppliers (name) values ($1) returning id', [
        uniqueName('supplier'),
      ]);
      const [{ id }] = rows;
      await pool.query(
        `insert into supplier_items (supplier, key, our_id, first_list)
         select id, 's:' || id, 'id of ' || id, 1 from suppliers where id = $1`,
        [id],
      );
      return id as number;
    };
    const [id, into] = [await insert(), await insert()];
    const { ok } = await begin(id, into);
    return async () =>
      ok &&
      (await countOf('suppliers where id = $1', [id])) === 0 &&
      (await countOf('supplier_items where supplier = $1', [into])) === items;
  };

  return {
    'watch-conditions': {
      heldAfter: 'insert on conditions for each statement',
      async begin() {
        await pool.query('delete from conditions');
        await requestTask(db, 'watch-conditions');
        return async () => (await countOf('conditions')) > 0;
      },
    },
    'sync-store': {
      heldAfter: 'insert on store_products for each statement',
      async begin() {
        await pool.query('delete from store_products');
        await requestTaskIfIdle(db, 'sync-store', demoShop);
        const all = (await stack.store.products()).length;
        return async () => (await countOf('store_products')) === all;
      },
    },
    audit: {
      heldAfter: 'update on audits for each row',
      async begin() {
        await pool.query('delete from audits');
        await beginAudit(db);
        return async () => {
          const { latest } = await readAudits(db);
          if (latest?.problem) throw new Error(latest.problem);
          return latest !== undefined && latest.imports > 0 && latest.difference_count === 0;
        };
      },
    },
    'remove-old': {
      heldAfter: 'delete on login_failures for each row',
      async begin() {
        await pool.query(
          `insert into login_failures (address, failed_at) values ('old', now() - interval '9 days')`,
        );
        await requestTask(db, 'remove-old');
        return async () => (await countOf('login_failures')) === 0;
      },
    },
    'remove-left-overs': {
      heldAfter: 'delete on uploads for each row',
      async begin() {
        const key = `imports/${uniqueName('left')}.csv`;
        await putStream(storage, key, Readable.from([Buffer.from('left over')]));
        await pool.query(
          `insert into uploads (object_key, database_id, sweeps) select $1, system_identifier || '/' || oid, $2
           from pg_control_system(), pg_database where datname = current_database()`,
          [key, uploadSweepsMax],
        );
        await requestTask(db, 'remove-left-overs');
        return async () =>
          (await countOf('uploads where object_key = $1', [key])) === 0 &&
          (await Array.fromAsync(list(storage, key))).length === 0;
      },
    },
    'fold-counts': {
      heldAfter: 'delete on hourly_counts for each row',
      async begin() {
        const created = async () =>
          (await pool.query(`select created from hourly_counts where hour = '-infinity'`)).rows[0].created;
        const before = await created();
        await pool.query(
          `insert into hourly_counts (hour, import_id, created) values (now() - interval '1000 days', $1, 7)`,
          [randomUUID()],
        );
        await requestTask(db, 'fold-counts');
        return async () => (await created()) === before + 7;
      },
    },
    'summarize-folders': {
      heldAfter: 'update of summarized on imports for each row',
      async begin() {
        await pool.query('update imports set summarized = true');
        await pool.query('delete from activity');
        // Without it a few files have no line.
        await saveSettings(db, { notifyOnCompletion: true });
        await readFromFolder('manual');
        return async () =>
          (await countOf('imports where not summarized')) === 0 &&
          (await countOf(`activity where message like '%1 file imported%'`)) === 1;
      },
    },
    'merge-supplier': {
      heldAfter: 'insert on supplier_items for each statement',
      begin: () => leaving((id, into) => requestMergeOrDelete(db, id, into), 2),
    },
    'delete-supplier': {
      heldAfter: 'delete on supplier_items for each statement',
      begin: () => leaving((id) => requestMergeOrDelete(db, id, null), 1),
    },
    'auto-push': {
      heldAfter: `insert on runs for each row when (new.stage = 'push')`,
      async begin() {
        await savePreferences(db, { autoPushDelayMinutes: 0 });
        await upsertShop(db, { shop: demoShop, url: stack.store.url, currency: 'CAD' });
        const { id, name } = await readFromFolder('full-auto');
        return async () =>
          (await countOf(`imports where id = $1 and status = 'completed' and push_run = 1`, [id])) === 1 &&
          (await stack.store.products()).filter(({ title }) => title === name).length === 1;
      },
    },
    'poll-folder': {
      heldAfter: 'insert on watched_files for each row',
      begin: async () => isImportedOnce(await dropNew()),
    },
    'take-files': {
      heldAfter: `insert on imports for each row when (new.source = 'local')`,
      begin: async () => isImportedOnce(await dropNew()),
    },
    'move-files': {
      heldAfter: `update of option on watched_files for each row when (new.option = 'archived')`,
      async begin() {
        await saveSettings(db, { oneDriveEnabled: true, moveToArchive: true });
        const name = await dropNew();
        return async () =>
          (await countOf(`watched_files where name = $1 and option = 'archived'`, [name])) === 1 &&
          !(await isThere(join(stack.watchFolder, name)));
      },
    },
    'poll-feeds': {
      heldAfter: 'delete on feeds for each row',
      async begin() {
        const host = uniqueName('host');
        await pool.query(
          `insert into feeds (kind, shown, host, sign_in, created_at) values ('web', $1, $1, 'none', now() - interval '2 days')`,
          [host],
        );
        await requestTask(db, 'poll-feeds');
        return async () => (await countOf('feeds where host = $1', [host])) === 0;
      },
    },
    'fetch-list': {
      heldAfter: 'insert on feed_fetches for each row',
      async begin() {
        const { rows } = await pool.query(
          `with supplier as (insert into suppliers (name) values ($1) returning id)
           insert into feeds (supplier, state, kind, shown, host, sign_in)
           select id, 'on', 'web', $1, $1, 'none' from supplier returning id`,
          [uniqueName('host')],
        );
        const [{ id }] = rows;
        await requestTask(db, 'fetch-list', id);
        // Nothing is sealed for it, so it ends with trouble.
        return async () =>
          (await countOf(`feed_fetches where feed = $1 and result = 'failed'`, [id])) === 1 &&
          (await countOf('feeds where id = $1 and failures = 1', [id])) === 1;
      },
    },
    'sign-in': {
      heldAfter: 'update of claim on sign_ins for each row',
      async begin() {
        const id = await db.transaction().execute((trx) => requestSignIn(trx, { way: 'code' }));
        // Nobody gets the answer of a worker that is gone, so a sign-in is not begun again.
        return async () => (await countOf(`sign_ins where id = $1 and state = 'failed'`, [id])) === 1;
      },
    },
  };
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
