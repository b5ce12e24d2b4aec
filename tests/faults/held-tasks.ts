import { randomUUID } from 'node:crypto';
import type { PreviewKind, ScannedRecord } from '@draftshelf/core/connection/schema';
import { beginExpiredRemovals } from '@draftshelf/core/operate/remove-old';
import { planGoneProducts } from '@draftshelf/core/push/changes/gone';
import { previewUndo } from '@draftshelf/core/push/changes/undo';
import { beginPlan } from '@draftshelf/core/push/plan/plan';
import { beginReread } from '@draftshelf/core/reading/begin-reread';
import { beginCommand, beginStepsCommand } from '@draftshelf/core/review/commands/begin-command';
import { undoCommand } from '@draftshelf/core/review/commands/begin-undo';
import { readRowPage } from '@draftshelf/core/review/effective-rows';
import { addToImport, followProduct } from '@draftshelf/core/scanner/add-to-import';
import {
  changeScannedProduct,
  createScannedProduct,
  type ScannedChange,
} from '@draftshelf/core/scanner/scanned-products';
import { changeSupplierAnswers } from '@draftshelf/core/suppliers/change-supplier';
import { enqueueCountList } from '@draftshelf/core/suppliers/count-list';
import { deleteImport } from '@draftshelf/core/work/delete-import';
import { currentRows } from '@draftshelf/core/work/runs';
import {
  dimensionsDefault,
  type ScannedFields,
  weightDefault,
} from '@draftshelf/domain/scanner/scanned-product';
import type { TaskKind } from '@draftshelf/domain/work/task-catalog';
import { expect } from 'vitest';
import { begunCorrections } from '../support/corrected-file.ts';
import { importWithPictures } from '../support/file-pictures.ts';
import { csvOf } from '../support/fixture.ts';
import { itemsNow } from '../support/items-now.ts';
import type { Stack } from '../support/stack.ts';
import { productsCsv, type TaskWork, taskSteps } from './held-imports.ts';
import { enrichTaskWork, type Peers } from './held-lookups.ts';

/** Neither in the request nor in one part of a task. */
const manyRows = 700;

const prefix = { kind: 'prefix', field: 'title', text: 'New ' } as const;

/** SQL: the facets of runs. */
const facets = 'runs cross join jsonb_to_recordset(facets) as facet (issue text, rows integer)';

/** The work of each kind of task on a stack with a store. */
export function taskWork(stack: Stack, peers: Peers): Record<TaskKind, TaskWork> {
  const { database } = stack;
  const { accepted, countOf, imported, inTransaction, pushed, query, read, rested, stored } =
    taskSteps(stack);
  const rowsOf = (id: string, run = 1) => countOf('rows where import_id = $1 and run = $2', id, run);
  const titled = async (id: string, start: string): Promise<number> => {
    const rows = await readRowPage(database.db, currentRows(await read(id)), { after: 0, limit: 10_000 });
    return rows.filter(({ values }) => values.title?.startsWith(start)).length;
  };
  const beginPrefix = async (id: string) => {
    const begun = await accepted((trx) =>
      beginCommand(trx, id, { target: {}, operations: [prefix], sinceEdit: null }),
    );
    return begun.command.id;
  };
  /** Makes an import the first list of a supplier of its own. */
  const asList = async (id: string): Promise<number> => {
    await query('delete from supplier_lists where import_id = $1', [id]);
    const { rows } = await query('insert into suppliers (name) values ($1) returning id', [id]);
    const supplier: number = rows[0].id;
    await query(
      `with made as (insert into supplier_lists (supplier, number, import_id, filename) values ($1, 1, $2, 'list.csv'))
       update imports set supplier = $1 where id = $2`,
      [supplier, id],
    );
    return supplier;
  };
  const isInState = async (id: string, command: string, state: string) =>
    (await countOf('edit_commands where import_id = $1 and id = $2 and state = $3', id, command, state)) ===
    1;
  const isPreviewed = async (id: string, kind: PreviewKind, lines: number) =>
    (await countOf(
      `previews where import_id = $1 and kind = $2 and previewed_at is not null and problem is null
         and (select count(*) from preview_lines where preview = previews.id) = $3
         and (select sum(value::int) from json_each_text(sums)) = $3`,
      ...[id, kind, lines],
    )) === 1;

  return {
    'remove-rows': {
      heldAfter: 'delete on rows for each statement',
      async prepare() {
        const id = await imported(productsCsv(60));
        return async () => {
          await accepted((trx) => beginReread(trx, id, { dialect: { delimiter: ',' } }));
          return {
            id,
            isDone: async () => (await rowsOf(id, 1)) === 0 && (await rowsOf(id, 2)) === 60,
          };
        };
      },
    },
    'retire-rows': {
      heldAfter: 'delete on rows for each statement',
      async prepare() {
        const id = await pushed(productsCsv(5));
        await query(
          `update runs set completed_at = now() - interval '1 year' where import_id = $1 and stage = 'parse'`,
          [id],
        );
        return async () => {
          await beginExpiredRemovals(database, { ...keepAll, keepRowsDays: 30 });
          // As after the time for downloads that have begun.
          await query(
            `update chunks set not_before = null, deferred_at = null where import_id = $1 and task = 'retire-rows'`,
            [id],
          );
          return {
            id,
            isDone: async () =>
              (await rowsOf(id)) === 0 &&
              (await countOf('kept_places cross join unnest(rows) where import_id = $1', id)) === 5,
          };
        };
      },
    },
    'delete-import': {
      heldAfter: 'delete on imports for each row',
      async prepare() {
        const id = await imported(productsCsv(60));
        return async () => {
          await accepted((trx) => deleteImport(trx, id));
          return {
            id,
            isDone: async () =>
              (await countOf('imports where id = $1', id)) === 0 &&
              (await countOf('chunks where import_id = $1', id)) === 0 &&
              (await rowsOf(id)) === 0,
          };
        };
      },
    },
    'find-in-imports': {
      heldAfter: 'update of marked on row_matches for each statement',
      async prepare() {
        const csv = productsCsv(40);
        const other = await imported(csv);
        return async () => {
          const id = await stored(csv);
          return {
            id,
            isDone: async () =>
              (await countOf(
                'row_matches where import_id = $1 and other_import = $2 and marked',
                id,
                other,
              )) === 40 &&
              (await countOf(
                `${facets} where import_id = $1 and issue = 'in-other-import' and rows = 40`,
                id,
              )) === 1,
          };
        };
      },
    },
    'keep-items': {
      heldAfter: 'insert on supplier_items for each statement',
      prepare: async () => async () => {
        const id = await stored(productsCsv(60));
        return {
          id,
          isDone: async () =>
            (await countOf(
              `${itemsNow(database)}
               where supplier = (select supplier from imports where id = $1) and content_list is null`,
              id,
            )) === 60,
        };
      },
    },
    'count-list': {
      heldAfter: 'insert on supplier_items for each statement',
      async prepare() {
        const id = await imported(productsCsv(60));
        return async () => {
          const supplier = await asList(id);
          await inTransaction(async (trx) => enqueueCountList(trx, await read(id)));
          return {
            id,
            isDone: async () =>
              (await countOf(`${itemsNow(database)} where supplier = $1 and content_list = 1`, supplier)) ===
                60 && (await countOf(`supplier_lists where import_id = $1 and state = 'counted'`, id)) === 1,
          };
        };
      },
    },
    'check-guards': {
      heldAfter: 'update of facets on runs for each statement',
      async prepare() {
        const id = await imported(
          csvOf([['Title', 'Price', 'Cost'], ...Array(60).fill(['Vase', '9.90', '9'])]),
        );
        return async () => {
          const supplier = await asList(id);
          const answers = { set: { guardCost: 1.3 }, from: {} };
          expect(await changeSupplierAnswers(database.db, supplier, answers)).toMatchObject({ ok: true });
          const broken = `${facets} where import_id = $1 and issue = 'guard-cost' and rows = 60`;
          return { id, isDone: async () => (await countOf(broken, id)) === 1 };
        };
      },
    },
    'compare-corrections': {
      heldAfter: 'insert on correction_cells for each statement',
      async prepare() {
        const id = await imported(productsCsv(60));
        return async () => {
          const corrected = { rows: 60, column: 'Price', value: (row: number) => `${row}` };
          const corrections = await begunCorrections(stack, id, corrected);
          return {
            id,
            isDone: async () =>
              (await countOf(`corrections where id = $1 and state = 'compared'`, corrections)) === 1 &&
              (await countOf(`correction_cells where corrections = $1 and kind = 'change'`, corrections)) ===
                60,
          };
        };
      },
    },
    'apply-command': {
      heldAfter: 'insert on edits for each statement',
      async prepare() {
        const id = await imported(productsCsv(manyRows));
        return async () => {
          const command = await beginPrefix(id);
          return {
            id,
            isDone: async () =>
              (await countOf('edits where import_id = $1 and command = $2', id, command)) === manyRows &&
              (await titled(id, 'New Vase')) === manyRows &&
              (await isInState(id, command, 'applied')),
          };
        };
      },
    },
    'apply-recipes': {
      heldAfter: 'insert on edits for each statement',
      async prepare() {
        const id = await imported(productsCsv(manyRows));
        return async () => {
          const orderedAt = new Date().toISOString();
          const step = { recipe: randomUUID(), orderedAt, operations: [prefix], target: {}, rows: 0 };
          const record = await read(id);
          const command = await database.db
            .transaction()
            .execute((trx) => beginStepsCommand(trx, record, [step], 'call'));
          return {
            id,
            isDone: async () =>
              (await countOf('edits where import_id = $1 and command = $2', id, command)) === manyRows &&
              (await titled(id, 'New Vase')) === manyRows &&
              (await isInState(id, command, 'applied')),
          };
        };
      },
    },
    'undo-command': {
      heldAfter: 'insert on edits for each statement',
      async prepare() {
        const id = await imported(productsCsv(manyRows));
        const command = await beginPrefix(id);
        await rested(id);
        return async () => {
          const undone = await accepted((trx) => undoCommand(trx, id, command));
          return {
            id,
            isDone: async () =>
              (await countOf('edits where import_id = $1 and command = $2', id, undone.command)) ===
                manyRows &&
              (await titled(id, 'Vase')) === manyRows &&
              (await isInState(id, command, 'undone')),
          };
        };
      },
    },
    'take-pictures': {
      heldAfter: 'update on file_pictures for each statement',
      prepare: async () => async () => {
        const { id } = await importWithPictures(stack, productsCsv(3), namedFiles(30));
        return {
          id,
          isDone: async () =>
            (await countOf(`file_pictures where import_id = $1 and state = 'stored'`, id)) === 30 &&
            (await countOf('picture_matches where import_id = $1', id)) === 30,
        };
      },
    },
    'update-added': {
      heldAfter: 'update of cells on rows for each statement',
      async prepare() {
        const ids: string[] = [];
        const productId = randomUUID();
        const product = await inTransaction((trx) =>
          createScannedProduct(trx, { id: productId, ageMs: 0 }, scannedFields(productId, 'Scanned')),
        );
        // Two follow in the request, so the first one does by its task.
        for (let imports = 0; imports < 3; imports += 1) {
          const id = await imported(productsCsv(6));
          await accepted((trx) => addToImport(trx, id, productOf(product)));
          ids.push(await rested(id));
        }
        return async () => {
          await inTransaction(async (trx) => {
            const fields = scannedFields(productId, 'Renamed');
            const changed = await changeScannedProduct(trx, { id: productId, version: null }, fields);
            await followProduct(trx, productOf(changed), null);
          });
          return {
            id: ids[0] ?? '',
            isDone: async () =>
              (await Promise.all(ids.map((one) => titled(one, 'Renamed')))).every((rows) => rows === 1) &&
              (await countOf('rows where import_id = any($1)', ids)) === 3 * 7,
          };
        };
      },
    },
    ...enrichTaskWork(stack, peers),
    'plan-push': {
      heldAfter: 'insert on preview_lines for each statement',
      async prepare() {
        const id = await imported(productsCsv(30));
        return async () => {
          await accepted((trx) => beginPlan(trx, id));
          return { id, isDone: () => isPreviewed(id, 'push', 30) };
        };
      },
    },
    'plan-undo': {
      heldAfter: 'insert on preview_lines for each statement',
      async prepare() {
        const id = await pushed(productsCsv(12));
        return async () => {
          await accepted((trx) => previewUndo(trx, id, { whenUnsure: 'keep' }));
          return { id, isDone: () => isPreviewed(id, 'undo', 12) };
        };
      },
    },
    'plan-gone': {
      heldAfter: 'update on preview_lines for each statement',
      async prepare() {
        const id = await pushed(productsCsv(12));
        const supplier = await asList(id);
        await query('update suppliers set sends_complete = true, gone_after = 1 where id = $1', [supplier]);
        await query(
          `update supplier_lists set state = 'counted', counted_at = now(), counted_run = 1, is_complete = true
           where import_id = $1`,
          [id],
        );
        await query(
          `with items as (
             insert into supplier_items (supplier, key, our_id, first_list)
             select $1, 's:' || product, our_id, 1 from outcomes where import_id = $2
             returning id, our_id
           )
           insert into item_versions (supplier, item, list, run, our_id, missed)
           select $1, id, 1, 1, our_id, true from items`,
          [supplier, id],
        );
        return async () => {
          await accepted((trx) =>
            planGoneProducts(trx, id, { action: 'archive', keys: null, automatic: false }),
          );
          return { id, isDone: () => isPreviewed(id, 'gone', 12) };
        };
      },
    },
  };
}

const namedFiles = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `picture ${at}.png` }));

const keepAll = { keepRowsDays: null, keepFilesDays: null };

const scannedFields = (id: string, name: string): ScannedFields => ({
  ...{ name, description: '', price: '24.99', sku: `S-${id}`, upc: null },
  ...{ dimensions: dimensionsDefault, weight: weightDefault, photos: [] },
});

function productOf(change: ScannedChange): ScannedRecord {
  if (!('product' in change)) throw new Error(`The product was not saved: ${change.kind}`);
  return change.product;
}
