import type { UndoLineRecord } from '@draftshelf/core/connection/schema';
import { auditImport } from '@draftshelf/core/operate/audit/audit-import';
import { setMatchChoice } from '@draftshelf/core/push/push-run';
import { pushImport } from '@draftshelf/core/work/import-actions';
import { differenceSentence } from '@draftshelf/domain/operate/audit';
import type { UndoPart } from '@draftshelf/domain/push/push-undo';
import type { StoredProduct } from '../../apps/simulators/store/src/catalogue.ts';
import { demoCollections } from '../../apps/simulators/store/src/demo-shop.ts';
import { comparableProduct } from '../store/comparable-product.ts';
import { type Touch, touches } from '../store/touches.ts';
import { storedImport } from '../support/fixture.ts';
import { createByMerchant } from '../support/merchant-product.ts';
import type { Stack } from '../support/stack.ts';
import { undoSteps } from '../support/undo-steps.ts';
import { leftOver } from './differences.ts';
import type { Random } from './fault-random.ts';
import { otherFaultsMsMax, reachPushed, reachRest, readImport } from './fault-stack.ts';
import { kill } from './inject.ts';

/** What the push does with its products, how many of them a colleague changes, and how the undo is disturbed. */
export type UndoStormSizes = {
  created: number;
  updated: number;
  /** Products of the merchant that the push takes over. */
  takenOver: number;
  unchanged: number;
  touched: number;
  kills: number;
  latencyMs: number;
};

type Catalogue = Map<number, StoredProduct>;

/**
 * Undoes a push of products that it has created, updated, taken over and left unchanged, while the push worker is
 * killed with -9, and the store loses a tenth of its answers after their effect and fails 5 % of the calls. A colleague
 * has changed some products, half of them since the preview. `wrong`: what differs from the catalogue before the push,
 * from the touched products that stay, or from the records.
 */
export async function runUndoStorm(
  stack: Stack,
  sizes: UndoStormSizes,
  random: Random,
): Promise<{ wrong: string[]; seconds: number }> {
  const { preview, begin, ended } = undoSteps(() => stack);
  const files = filesOf(`U${Math.floor(random.between(0, 1e9))}`, sizes);
  for (const { title, sku, of } of files.merchants) await createByMerchant(stack, title, sku, of);
  await pushFile(stack, files.earlier, files.sha256);
  const [before, listings] = [await catalogue(stack), await readListings(stack)];
  const id = await pushFile(stack, files.later, files.sha256);
  const { updated, takenOver, created, unchanged } = sizes;
  const pushed = await readImport(stack, id);
  const counts = { created, updated: updated + takenOver, unchanged };
  for (const [outcome, count] of Object.entries(counts)) {
    const is = pushed[outcome as keyof typeof counts];
    if (is !== count) throw new Error(`The push has ${is} products ${outcome}, not ${count}`);
  }
  const touched = chooseTouches(before, await catalogue(stack), sizes.touched, random);
  const half = Math.ceil(touched.size / 2);
  await touch(stack, [...touched].slice(0, half));
  await preview(id);
  await touch(stack, [...touched].slice(half));
  const expected = expectedCatalogue(before, await catalogue(stack), touched);
  await disturb(stack, sizes.latencyMs);
  const since = performance.now();
  await begin(id);
  await killAtRandom(stack, id, random, { products: created + updated + takenOver, kills: sizes.kills });
  await reachRest(stack, id, 4 * otherFaultsMsMax);
  const seconds = Math.round((performance.now() - since) / 1000);
  await stack.store.clearFaults();
  const wrong = [
    ...catalogueDifferences(await catalogue(stack), expected),
    ...lineDifferences(await ended(id), before, touched),
    ...(await ledgerDifferences(stack, id, sizes, touched, before)),
    ...(await listingDifferences(stack, listings, touched, before)),
    ...(await auditImport(stack.database.db, id)).differences.map(differenceSentence),
    ...(await leftOver(stack)),
  ];
  return { wrong, seconds };
}

const header =
  'Handle,Title,Description,Brand,Tags,Option1 Name,Option1 Value,Price,Quantity,SKU,Image,Filler';
/** All lines are as long, so that a product is at the same place in both files: its id depends on that. */
const lineBytes = 240;

/**
 * The file of the products that are there before the push, and the one that is pushed then: a later version of the
 * same file, with changed values and with more products.
 */
function filesOf(label: string, { created, updated, takenOver, unchanged }: UndoStormSizes) {
  const hasSizes = (n: number) => n % 5 === 3;
  const line = (...cells: (string | number)[]) => {
    const text = `${cells.join(',')},`;
    return `${text}${'x'.repeat(lineBytes - text.length)}\n`;
  };
  const product = (n: number, isLater: boolean): string => {
    const change = isLater && n < updated ? n % 5 : null;
    const title = change === 0 ? `New lamp ${label} ${n}` : `Lamp ${label} ${n}`;
    const [text, brand, tag] = change === 2 ? ['Another lamp.', 'Acme', 'new'] : ['A lamp.', 'Lumen', 'lamp'];
    const [price, quantity] = change === 1 ? [n + 100, 7] : [n + 10, 5];
    const image = change === 4 ? `https://example.com/${n}.jpg` : '';
    const of = [`lamp-${label}-${n}`.toLowerCase(), title, text, brand, tag];
    const row = (size: string, at: number) =>
      line(...of, size && 'Size', size, `${price}.50`, quantity, `${label}-${n}-${at}`, image);
    if (!hasSizes(n)) return row('', 0);
    return (change === 3 ? ['L', 'M'] : ['S', 'M']).map(row).join('');
  };
  const file = (products: number, isLater: boolean) =>
    `${header}\n${Array.from({ length: products }, (_, n) => product(n, isLater)).join('')}`;
  const existing = updated + unchanged;
  return {
    sha256: Buffer.from(label).toString('hex').padEnd(64, '0'),
    earlier: file(existing, false),
    later: file(existing + takenOver + created, true),
    merchants: Array.from({ length: takenOver }, (_, at) => ({
      title: `Merchant’s ${label} ${at}`,
      sku: `${label}-${existing + at}-0`,
      of: hasSizes(existing + at) ? { sizes: ['S', 'M'] } : {},
    })),
  };
}

/** Pushes a file; products that the store has under another id get its values. */
async function pushFile(stack: Stack, csv: string, sha256: string): Promise<string> {
  const { id } = await storedImport(stack, { csv, set: { sha256 } });
  await reachRest(stack, id);
  await stack.database.db.transaction().execute(async (trx) => {
    const moved = await pushImport(trx, id, 25, { supplier: null });
    if (!moved.ok) throw new Error(moved.reason);
    await setMatchChoice(trx, { import_id: id, run: moved.import.push_run }, 'update');
  });
  await reachRest(stack, id);
  return id;
}

async function catalogue({ store }: Stack): Promise<Catalogue> {
  const products = (await store.products()) as unknown as StoredProduct[];
  return new Map(products.map((product) => [product.id, product]));
}

type Touched = Map<number, Touch>;
const collection = demoCollections.find(({ smart }) => !smart)?.id ?? '';

/** By turns a created product, changed in any way, and an updated one, in a value that the push has changed, too. */
function chooseTouches(before: Catalogue, after: Catalogue, products: number, random: Random): Touched {
  const all = Object.values(touches);
  const chosen: Touched = new Map();
  const choose = (touch: Touch | undefined, isMeant: (product: StoredProduct) => boolean) => {
    const meant = [...after.values()].filter((product) => !chosen.has(product.id) && isMeant(product));
    if (touch) chosen.set(random.pick(meant).id, touch);
  };
  const isUpdated = (touch: Touch) => (product: StoredProduct) => {
    const was = before.get(product.id);
    return (
      was?.variants[0]?.id === product.variants[0]?.id &&
      was !== undefined &&
      touch.isBoth?.(was, product) === true
    );
  };
  const onBoth = all.filter((touch) => [...after.values()].some(isUpdated(touch)));
  for (let at = 0; at < products; at += 2) {
    choose(all[(at / 2) % all.length], ({ id }) => !before.has(id));
    const touch = onBoth[(at / 2) % onBoth.length];
    if (touch) choose(touch, isUpdated(touch));
  }
  return chosen;
}

async function touch(stack: Stack, chosen: readonly (readonly [number, Touch])[]): Promise<void> {
  const now = await catalogue(stack);
  for (const [id, { edit }] of chosen) {
    const product = now.get(id);
    if (product) await stack.store.edit(id, edit(product, collection));
  }
}

/** The catalogue before the push, with what the colleague has changed and the created products among that. */
function expectedCatalogue(before: Catalogue, now: Catalogue, touched: Touched): Catalogue {
  const expected = new Map(before);
  for (const [id, { on }] of touched) {
    const was = before.get(id);
    const is = now.get(id);
    if (is) expected.set(id, was ? on(was, collection, is) : is);
  }
  return expected;
}

async function disturb(stack: Stack, delayMs: number): Promise<void> {
  const times = 1_000_000;
  for (const fault of [
    { kind: 'delay', delayMs, times },
    ...['productDelete', 'productSet', 'inventorySetQuantities', 'metafieldsDelete'].map((operation) => ({
      ...{ kind: 'drop-after', operation, every: 10, times },
    })),
    { kind: 'status', status: 503, every: 20, times },
  ])
    await stack.store.fault(fault);
}

/** Kills the worker when so many products are undone, in order. */
async function killAtRandom(
  stack: Stack,
  id: string,
  random: Random,
  { products, kills }: { products: number; kills: number },
): Promise<void> {
  const points = Array.from({ length: kills }, () => random.between(1, products * 0.95));
  for (const point of points.sort((a, b) => a - b)) {
    await reachPushed(stack, id, point);
    await kill(stack, 'push-worker');
  }
}

const shownMax = 10;
const shown = (product: object | undefined) => (product ? JSON.stringify(product) : 'not there');

function catalogueDifferences(now: Catalogue, expected: Catalogue): string[] {
  return [...new Set([...now.keys(), ...expected.keys()])]
    .flatMap((id) => {
      const [is, should] = [now.get(id), expected.get(id)];
      // A variant that the push has removed comes back with a new id.
      const isNew = is?.variants.some((one, at) => one.id !== should?.variants[at]?.id) ?? false;
      const mayBeNew = isNew && should?.options[0]?.name === 'Size';
      const [a, b] = [is, should].map((product) => shown(comparableProduct(product, mayBeNew)));
      return a === b ? [] : [`product ${id} is ${a}, should be ${b}`];
    })
    .slice(0, shownMax);
}

const codeOfPart: Partial<Record<UndoPart, string>> = {
  published: 'published',
  collections: 'in-collections',
  metafields: 'other-metafields',
  quantities: 'stock-moved',
};

/** The lines must name the touched products with their parts and reasons, and no others. */
function lineDifferences(lines: readonly UndoLineRecord[], before: Catalogue, touched: Touched): string[] {
  const told = new Map(
    lines.flatMap(({ store_product_id, result, result_code, facts }) => {
      const parts = [...new Set(facts.kept?.map(({ part }) => part))];
      const words = `${result} ${result_code}: ${parts.join(', ')}`;
      return result_code === null ? [] : [[Number(store_product_id?.split('/').at(-1)), words] as const];
    }),
  );
  const should = new Map(
    [...touched].map(([id, { part }]) => {
      if (before.has(id)) return [id, `restore changed: ${part}`];
      return [id, `keep ${codeOfPart[part] ?? 'changed'}: ${part}`];
    }),
  );
  return [...new Set([...told.keys(), ...should.keys()])].flatMap((id) =>
    told.get(id) === should.get(id) ? [] : [`line of ${id}: ${told.get(id)}, should be ${should.get(id)}`],
  );
}

/** One line of the ledger for each product. */
async function ledgerDifferences(
  { database }: Stack,
  id: string,
  { created, updated, takenOver }: UndoStormSizes,
  touched: Touched,
  before: Catalogue,
): Promise<string[]> {
  const kept = [...touched.keys()].filter((product) => !before.has(product)).length;
  const { rows } = await database.pool.query<{ effect: string; lines: number; products: number }>(
    `select effect, count(*)::int as lines, count(distinct our_id)::int as products from ledger
     where import_id = $1 and origin = 'undo' group by effect order by effect`,
    [id],
  );
  const should = [
    ...[
      { effect: 'deleted', products: created - kept },
      { effect: 'kept', products: kept },
    ],
    { effect: 'restored', products: updated + takenOver },
  ]
    .filter(({ products }) => products > 0)
    .map(({ effect, products }) => ({ effect, lines: products, products }));
  const [is, expected] = [JSON.stringify(rows), JSON.stringify(should)];
  return is === expected ? [] : [`the ledger has ${is}, should have ${expected}`];
}

/** The payload that each product is known to have in the store. */
async function readListings({ database }: Stack): Promise<Map<number, string | null>> {
  const rows = await database.db.selectFrom('listings').select(['store_product_id', 'sent_hash']).execute();
  return new Map(
    rows.map(({ store_product_id, sent_hash }) => [Number(store_product_id?.split('/').at(-1)), sent_hash]),
  );
}

/** Listings are as before the push, but for created products that stay. */
async function listingDifferences(
  stack: Stack,
  earlier: ReadonlyMap<number, string | null>,
  touched: Touched,
  before: Catalogue,
): Promise<string[]> {
  const now = await readListings(stack);
  const staying = [...touched.keys()].filter((id) => !before.has(id));
  const missing = staying.filter((id) => !now.has(id)).map((id) => `${id} stays, but has no listing`);
  const others = [...new Set([...now.keys(), ...earlier.keys()])].filter((id) => !staying.includes(id));
  const differing = others.filter((id) => now.get(id) !== earlier.get(id));
  return [...missing, ...differing.slice(0, shownMax).map((id) => `the listing of ${id} is another one`)];
}
