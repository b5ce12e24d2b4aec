import type { UndoLineRecord } from '@draftshelf/core/connection/schema';
import { auditImport } from '@draftshelf/core/operate/audit/audit-import';
import { pushImport } from '@draftshelf/core/work/import-actions';
import { differenceSentence } from '@draftshelf/domain/operate/audit';
import { storedImport } from '../support/fixture.ts';
import { planSteps } from '../support/plan-steps.ts';
import { pushSteps } from '../support/push-steps.ts';
import type { WorkerStack } from '../support/test.ts';
import { undoSteps } from '../support/undo-steps.ts';
import { leftOver } from './differences.ts';
import type { Random } from './fault-random.ts';
import { otherFaultsMsMax, reachPushed, reachRest } from './fault-stack.ts';
import { kill } from './inject.ts';
import {
  happened,
  type Named,
  nameOf,
  shopDifferences,
  undoneDifferences,
  unplanned,
} from './story-checks.ts';
import { isNew, productsListed, type SupplierFile, supplierFiles } from './story-files.ts';
import {
  doWorks,
  isDeletion,
  productOf,
  type Works,
  withWork,
  worksBeforeUndo,
  worksBetweenFiles,
} from './story-merchant.ts';
import { type Expected, emptyOracle, expectPush, type Oracle, remember } from './story-oracle.ts';
import { inPieces, openShop, readShop, type Shop } from './story-shop.ts';

type Story = {
  stack: WorkerStack;
  label: string;
  random: Random;
  oracle: Oracle;
  wrong: string[];
};
const killsOfFirst = 2;
const killsOfUpdates = 1;

type Pushed = { id: string; before: Shop; after: Shop; expected: Expected };

/**
 * A merchant's shop, the price list of a supplier, its push with Update and the undo of it, then the other lists.
 * Returns what differs from the store that the files and the merchant's work make, and from what plan, outcomes, ledger
 * and undo say. While it pushes and undoes, the store loses answers and requests of all calls and fails others, and the
 * push worker is killed.
 */
export async function runMerchantStory(stack: WorkerStack, random: Random): Promise<string[]> {
  const label = `M${Math.floor(random.between(0, 1e6))}`;
  const story: Story = { stack, label, random, oracle: emptyOracle(), wrong: [] };
  const [first, second, third, fourth] = supplierFiles(label);
  if (!first || !second || !third || !fourth) throw new Error('The supplier has too few files');
  await openShop(stack, label);
  const pushed = await pushFile(story, first, killsOfFirst);
  await undoPush(story, pushed);
  await pushFile(story, second, killsOfUpdates);
  const shop = await readShop(stack);
  await doWorks(stack, shop, label, worksBetweenFiles);
  noteDeletions(story, worksBetweenFiles);
  await pushFile(story, third, killsOfUpdates);
  await pushFile(story, fourth, 0);
  return [...story.wrong, ...(await leftOver(stack))];
}

/** Strikes calls of all kinds: each nth answer and request is lost, each nth request fails. */
async function disturb({ stack, random }: Story): Promise<void> {
  const times = 1_000_000;
  const every = (from: number) => Math.floor(random.between(from, from * 2));
  const writes = ['productSet', 'inventorySetQuantities', 'productDelete', 'metafieldsDelete'];
  for (const fault of [
    ...writes.map((operation) => ({ kind: 'drop-after', operation, every: every(6) })),
    ...writes.map((operation) => ({ kind: 'drop-before', operation, every: every(12) })),
    { kind: 'drop-after', every: every(15) },
    { kind: 'status', status: 503, every: every(17) },
  ])
    await stack.store.fault({ ...fault, times });
}

async function pushFile(story: Story, file: SupplierFile, kills: number): Promise<Pushed> {
  const { stack, oracle, wrong } = story;
  const { outcomes } = pushSteps(() => stack);
  const { plan } = planSteps(() => stack);
  const { id } = await storedImport(stack, { csv: file.csv, filename: `${file.name}.csv` });
  await reachRest(stack, id);
  const before = await readShop(stack);
  const expected = expectPush(before, file, oracle);
  await plan(id);
  // The operator says that products with the same SKU or title are the merchant's.
  await stack.api.call('POST', `/api/queue/${id}/plan/choices`, {
    body: { about: 'in-store', choice: 'update' },
  });
  const { lines } = await plan(id);
  const planned = await plannedDifferences(stack, id, lines);
  await pushThroughFaults(story, id, kills);
  const after = await readShop(stack);
  const say = (text: string) => wrong.push(`${file.name}: ${text}`);
  const done = await outcomes(id);
  for (const [at, listed] of file.products.entries()) {
    const sku = listed.variants[0]?.sku;
    const should = expected.outcomes.get(listed.n);
    const [is, line] = [done[at], lines[at]];
    const isSaid = should?.says === undefined || is?.message?.includes(should.says);
    if (is?.outcome !== should?.outcome || is?.code !== should?.code || !isSaid)
      say(
        `outcome of ${sku} is ${is?.outcome} ${is?.code} (${is?.message}), should be ${JSON.stringify(should)}`,
      );
    if (line?.outcome !== is?.outcome || line?.code !== is?.code || line?.message !== is?.message)
      say(
        `plan of ${sku} is ${line?.outcome} ${line?.code} (${line?.message}), the push ${is?.outcome} ${is?.code} (${is?.message})`,
      );
  }
  for (const text of shopDifferences(before, after, expected)) say(text);
  for (const text of planDifferences({ before, after }, file, planned)) say(text);
  for (const difference of await auditImport(stack.database.db, id)) say(differenceSentence(difference));
  for (const text of await ledgerDifferences(stack, id, done)) say(text);
  remember(oracle, { file, expected, shop: after });
  return { id, before, after, expected };
}

async function pushThroughFaults(story: Story, id: string, kills: number): Promise<void> {
  const { stack } = story;
  await disturb(story);
  const moved = await stack.database.db
    .transaction()
    .execute((trx) => pushImport(trx, id, 25, { supplier: null }));
  if (!moved.ok) throw new Error(moved.reason);
  await killAtRandom(story, id, kills);
  await reachRest(stack, id, 4 * otherFaultsMsMax);
  await stack.store.clearFaults();
}

async function killAtRandom({ stack, random }: Story, id: string, kills: number): Promise<void> {
  const points = Array.from({ length: kills }, () => random.between(1, productsListed * 0.9));
  for (const point of points.sort((a, b) => a - b)) {
    await reachPushed(stack, id, point);
    await kill(stack, 'push-worker');
  }
}

/** The differences that the plan shows for each of its products, by its place in the file. */
async function plannedDifferences(
  { api }: WorkerStack,
  id: string,
  lines: readonly { product: number; outcome: string }[],
): Promise<Named[][]> {
  return inPieces(lines, async ({ product, outcome }) => {
    if (outcome !== 'created' && outcome !== 'updated') return [];
    const { status, body } = await api.call('GET', `/api/queue/${id}/plan/products/${product}`);
    if (status !== 200) throw new Error(JSON.stringify(body));
    const { sent, differences } = body as { sent: boolean; differences: Named[] };
    return sent ? differences : [];
  });
}

function planDifferences(
  { before, after }: { before: Shop; after: Shop },
  { products }: SupplierFile,
  planned: readonly Named[][],
): string[] {
  return products.flatMap(({ variants }, at) => {
    const sku = variants[0]?.sku;
    const product = [...after.values()].find((one) => one.variants.some((variant) => variant.sku === sku));
    if (!product) return [];
    const was = before.get(product.id);
    const done = happened(was, product);
    return unplanned(planned[at] ?? [], done, !was).map((text) => `${sku} ${text}`);
  });
}

/** Each product that was created or updated has one line of it. */
async function ledgerDifferences(
  { database }: WorkerStack,
  id: string,
  outcomes: readonly { outcome: string }[],
): Promise<string[]> {
  const { rows } = await database.pool.query<{ effect: string; lines: number }>(
    `select effect, count(*)::int as lines from ledger where import_id = $1 and origin = 'push'
     and effect in ('created', 'updated') group by effect`,
    [id],
  );
  return ['created', 'updated'].flatMap((effect) => {
    const is = rows.find((one) => one.effect === effect)?.lines ?? 0;
    const should = outcomes.filter(({ outcome }) => outcome === effect).length;
    return is === should ? [] : [`the ledger has ${is} ${effect}, should have ${should}`];
  });
}

/** The merchant works on the products, then the push is undone. */
async function undoPush(story: Story, { id, before, after }: Pushed): Promise<void> {
  const { stack, label, oracle, wrong } = story;
  const { preview, begin, ended } = undoSteps(() => stack);
  const works = worksBeforeUndo;
  await doWorks(stack, after, label, works);
  const touched = await readShop(stack);
  await preview(id);
  await disturb(story);
  await begin(id);
  await killAtRandom(story, id, 1);
  await reachRest(stack, id, 4 * otherFaultsMsMax);
  await stack.store.clearFaults();
  const lines = await ended(id);
  const now = await readShop(stack);
  const { expected, ours } = expectUndone(before, { after, touched }, label, works);
  const say = (text: string) => wrong.push(`undo: ${text}`);
  for (const text of undoneDifferences(expected, now, ours)) say(text);
  for (const text of unnamed(lines, after, label, works)) say(text);
  for (const difference of await auditImport(stack.database.db, id)) say(differenceSentence(difference));
  for (const [n, { id: product }] of oracle.known) if (!ours.has(product)) oracle.known.delete(n);
  noteDeletions(story, works);
}

function noteDeletions({ oracle }: Story, works: Works): void {
  for (const [n, work] of Object.entries(works)) if (isDeletion(work)) oracle.deleted.add(Number(n));
}

/** The store before the push with the merchant's work in it. `ours`: created products that stay because of it. */
function expectUndone(
  before: Shop,
  { after, touched }: { after: Shop; touched: Shop },
  label: string,
  works: Works,
): { expected: Shop; ours: Set<number> } {
  const expected = new Map(before);
  const ours = new Set<number>();
  for (const [n, work] of Object.entries(works)) {
    const { id } = productOf(after, label, Number(n));
    const [was, pushed, is] = [before.get(id), after.get(id), touched.get(id)];
    if (!is || !pushed) continue;
    if (!was) ours.add(id);
    expected.set(id, was ? withWork(was, pushed, work) : is);
  }
  return { expected, ours };
}

/** The merchant's work on what the push has set or made, which the undo must name. */
function unnamed(lines: readonly UndoLineRecord[], after: Shop, label: string, works: Works): string[] {
  const byId = new Map(lines.map((line) => [Number(line.store_product_id?.split('/').at(-1)), line]));
  const says = Object.entries(works).flatMap(([n, work]) => {
    const product = productOf(after, label, Number(n));
    const line = byId.get(product.id);
    byId.delete(product.id);
    if (isDeletion(work)) return [];
    const parts: string[] = line?.facts.kept?.map(({ part }) => part) ?? [];
    const isNamed = isNew(Number(n))
      ? line?.result === 'keep' && line.result_code !== null
      : (work.stays ? [work.stays] : []).every((part) => parts.includes(part));
    return isNamed
      ? []
      : [`${nameOf(product)} is ${line?.result} ${line?.result_code}, which names ${parts}`];
  });
  const others = [...byId.values()].filter(({ result_code }) => result_code !== null);
  return [
    ...says,
    ...others.map((line) => `${line.title} is ${line.result} ${line.result_code}: ${line.result_message}`),
  ];
}
