import { randomUUID } from 'node:crypto';
import { beginAsking } from '@draftshelf/core/enrich/ai/begin-asking';
import { readRules, saveRules } from '@draftshelf/core/enrich/category-rules';
import { learnValues } from '@draftshelf/core/enrich/lookups';
import { removeSimulatedValues, reprocessImages } from '@draftshelf/core/enrich/lookups/lookup-tasks';
import { requestApplyRules } from '@draftshelf/core/enrich/rules/enqueue-rules';
import { pushImport } from '@draftshelf/core/work/import-actions';
import type { CategoryRule } from '@draftshelf/domain/enrich/rules/category-rule';
import type { SourceName } from '@draftshelf/domain/enrich/sources';
import type { TaskKind } from '@draftshelf/domain/work/task-catalog';
import type { TestAi } from '../support/ai.ts';
import { importWithPictures } from '../support/file-pictures.ts';
import { csvOf } from '../support/fixture.ts';
import type { TestSources } from '../support/sources.ts';
import type { Stack } from '../support/stack.ts';
import { codes, nextLabel, productsCsv, type TaskWork, taskSteps } from './held-imports.ts';

/** The peers in the test's process, which remember what they were asked. */
export type Peers = { sources: TestSources; ai: TestAi };

/** `reprocessImages` does the first 1,000 rows itself. */
const rowsAtOnce = 1_000;

/** The work of each kind of task of the enrich worker. */
export function enrichTaskWork(stack: Stack, { sources, ai }: Peers) {
  const { db } = stack.database;
  const { accepted, countOf, imported, inTransaction, query, stored } = taskSteps(stack);
  const switchOn = (...names: SourceName[]) =>
    query(
      'update sources set enabled = name = any($1), per_window = 10000, per_day = 100000, retry_ms = 100',
      [names],
    );
  const foundBy = (id: string, source: string) =>
    countOf(`found_values where import_id = $1 and source = $2 and field = 'vendor'`, id, source);

  const afterFound = 'insert on found_values for each statement';
  /** Values of the file’s last products are known. `isCounted`: the coverage has counted them before. */
  const lookedUp = (isCounted: boolean): TaskWork => ({
    heldAfter: afterFound,
    async prepare() {
      const gtins = codes(rowsAtOnce + 100);
      const known = gtins.slice(-20);
      await learnValues(db, codes(1).map(brandOf));
      const id = await imported(withCodes(gtins), { enable_upc: isCounted });
      await learnValues(db, known.map(brandOf));
      return async () => {
        await accepted((trx) => reprocessImages(trx, id));
        return {
          id,
          isDone: async () =>
            (await foundBy(id, 'own')) === known.length &&
            (await isCovered(id, { products: gtins.length, found: known.length })),
        };
      };
    },
  });
  const isCovered = async (id: string, { products, found }: { products: number; found: number }) =>
    (await countOf(
      `runs where import_id = $1 and coverage -> 'vendor' = jsonb_build_object('products', $2::int, 'filled', 0, 'found', $3::int)`,
      ...[id, products, found],
    )) === 1;

  const askedBy = (source: SourceName): TaskWork => ({
    heldAfter: `update on lookups for each row when (new.state = 'hit' and new.source = '${source}')`,
    async prepare() {
      const gtins = codes(5);
      await sources.know(gtins.map((gtin) => ({ gtin, title: titleOf(gtin), brand: 'Acme' })));
      await switchOn(source);
      return async () => {
        const id = await stored(withCodes(gtins), { enable_upc: true });
        const isOfThese = `source = $1 and gtin = any($2)`;
        return {
          id,
          async isDone() {
            const isFound =
              (await countOf(`lookups where ${isOfThese} and state = 'hit'`, source, gtins)) ===
                gtins.length &&
              (await foundBy(id, source)) === gtins.length &&
              (await isCovered(id, { products: gtins.length, found: gtins.length }));
            if (!isFound) return false;
            const asked = (await sources.journal()).filter(({ gtin }) => gtins.includes(gtin));
            const counted = await countOf(`source_calls where ${isOfThese}`, source, gtins);
            if (asked.length > counted || counted > 2 * gtins.length)
              throw new Error(
                `${asked.length} calls for ${gtins.length} products, of which ${counted} count`,
              );
            return true;
          },
        };
      };
    },
  });

  return {
    'look-up-products': lookedUp(false),
    'look-up-again': lookedUp(true),
    'look-up-anew': {
      heldAfter: afterFound,
      async prepare() {
        const gtins = codes(30);
        await sources.know(gtins.map((gtin) => ({ gtin, title: titleOf(gtin), brand: 'Acme' })));
        await switchOn('upcitemdb');
        const id = await imported(withCodes(gtins), { enable_upc: true });
        await switchOn();
        const known = gtins.slice(0, 10);
        await learnValues(db, known.map(brandOf));
        return async () => {
          // A source that is another one now has lost its answers.
          await query(`delete from lookups where source = 'upcitemdb' and gtin = any($1)`, [gtins]);
          await inTransaction((trx) => removeSimulatedValues(trx, ['upcitemdb']));
          return {
            id,
            isDone: async () =>
              (await foundBy(id, 'upcitemdb')) === 0 &&
              (await foundBy(id, 'own')) === known.length &&
              (await isCovered(id, { products: gtins.length, found: known.length })),
          };
        };
      },
    },
    'ask-upcitemdb': askedBy('upcitemdb'),
    'ask-open-products-facts': askedBy('open-products-facts'),
    'ask-barcode-lookup': askedBy('barcode-lookup'),
    'check-images': {
      heldAfter: 'insert on images for each row',
      async prepare() {
        await switchOn('barcode-lookup');
        const pictures = codes(5).map((gtin) => `${sources.url}/pictures/${gtin}.png`);
        const lines = pictures.map((url, at) => [`Vase ${at}`, '9.90', url]);
        return async () => {
          const id = await stored(csvOf([['Title', 'Price', 'Image'], ...lines]));
          return {
            id,
            isDone: async () =>
              (await countOf(`images where url = any($1) and state = 'ok'`, pictures)) === pictures.length,
          };
        };
      },
    },
    'match-pictures': {
      heldAfter: 'insert on picture_matches for each statement',
      prepare: async () => async () => {
        const csv = productsCsv(10);
        const skus = csv
          .trim()
          .split('\r\n')
          .slice(1)
          .map((line) => line.split(',').at(-1));
        const files = skus.flatMap((sku) => [{ name: `${sku}.png` }, { name: `${sku}-2.png` }]);
        const { id } = await importWithPictures(stack, csv, files);
        return {
          id,
          isDone: async () =>
            (await countOf('picture_matches where import_id = $1 and row is not null', id)) === 20 &&
            (await countOf(`found_values where import_id = $1 and source = 'file'`, id)) === 20,
        };
      },
    },
    'apply-rules': {
      heldAfter: 'insert on proposals for each statement',
      async prepare() {
        const id = await imported(productsCsv(10));
        return async () => {
          await accepted(async (trx) => {
            const { version } = await readRules(trx);
            await saveRules(trx, [{ ...vases, id: randomUUID() }], version);
            return requestApplyRules(trx, id);
          });
          return {
            id,
            isDone: async () =>
              (await countOf(`proposals where import_id = $1 and source = 'rule' and state = 'open'`, id)) ===
              10,
          };
        };
      },
    },
    'ask-ai': {
      heldAfter: 'insert on ai_answers for each statement',
      async prepare() {
        const label = nextLabel();
        const titles = ['Mug', 'Rug', 'Lamp', 'Pillow'].map((noun) => `${label} Blue ${noun}`);
        const lines = titles.map((title, at) => [title, '9.90', `${label}-${at}`]);
        const id = await imported(csvOf([['Title', 'Price', 'SKU'], ...lines]));
        const target = { baseUrl: ai.url, model: 'strict' };
        return async () => {
          await accepted((trx) => beginAsking(trx, id, { scope: { kind: 'all' }, fields: ['type'], target }));
          return {
            id,
            async isDone() {
              const isAnswered =
                (await countOf(`ai_asks where import_id = $1 and state = 'answered'`, id)) ===
                  titles.length &&
                (await countOf(`proposals where import_id = $1 and source = 'ai'`, id)) === titles.length;
              if (!isAnswered) return false;
              const asked = (await ai.journal(label)).length;
              const counted = await countOf('ai_calls where import_id = $1', id);
              const ended = await countOf(`ai_calls where import_id = $1 and outcome = 'ok'`, id);
              if (asked > counted || counted > 2 || ended !== 1)
                throw new Error(`${asked} calls, of which ${counted} count, and ${ended} are ended`);
              return true;
            },
          };
        };
      },
    },
    'learn-values': {
      heldAfter: `insert on lookups for each row when (new.source = 'own')`,
      async prepare() {
        const gtins = codes(6);
        const lines = gtins.map((gtin) => [titleOf(gtin), '9.90', gtin.slice(1), 'Acme']);
        const id = await imported(csvOf([['Title', 'Price', 'UPC', 'Vendor'], ...lines]));
        return async () => {
          await accepted((trx) => pushImport(trx, id, undefined, { supplier: null }));
          return {
            id,
            isDone: async () =>
              (await countOf(
                `lookups where source = 'own' and gtin = any($1) and answer->>'brand' = 'Acme'`,
                gtins,
              )) === gtins.length,
          };
        };
      },
    },
  } satisfies Partial<Record<TaskKind, TaskWork>>;
}

const titleOf = (gtin: string) => `Acme Blue Vase ${gtin}`;

/** Products without a vendor. */
const withCodes = (gtins: readonly string[]): string =>
  csvOf([['Title', 'Price', 'UPC'], ...gtins.map((gtin) => [titleOf(gtin), '9.90', gtin.slice(1)])]);

const brandOf = (gtin: string) => ({ gtin, answer: { title: titleOf(gtin), brand: 'Acme' } });

const vases: Omit<CategoryRule, 'id'> = {
  ...{ name: 'Vases', enabled: true, only: 'if empty' },
  ...{ if: { all: [{ field: 'title', is: 'has word', value: 'vase' }] }, set: { type: 'Vase' } },
};
