import type { GoneProductsPlan } from '@draftshelf/contract/push/gone';
import type { GoneLineRecord } from '@draftshelf/core/connection/schema';
import { findPreview } from '@draftshelf/core/push/previews/previews';
import { type GoneAction, goneTag } from '@draftshelf/domain/suppliers/gone';
import type { StoredProduct } from '../../apps/simulators/store/src/catalogue.ts';
import { comparableProduct } from '../store/comparable-product.ts';
import { until } from '../support/fixture.ts';
import { importSteps, waitMsMax } from '../support/import-steps.ts';
import { undoSteps } from '../support/undo-steps.ts';
import {
  type Account,
  act,
  count,
  inStore,
  noteWritten,
  productsOf,
  readShop,
  type Shop,
  type Story,
  say,
} from './months-accounts.ts';
import { type Form, type Item, suppliers } from './months-lists.ts';

const actions = ['archive', 'quantity', 'tag', 'draft'] as const;

/** Answers once that all lists of a supplier are complete, and for one supplier what is done with what they lack. */
export async function answerForLists(story: Story, { supplier, id }: Account): Promise<void> {
  const whenGone = supplier.whenGone === undefined ? {} : { whenGone: supplier.whenGone };
  await act(story, 'PUT', `/api/suppliers/${id}/answers`, {
    set: { sendsComplete: true, ...whenGone },
    from: {},
  });
}

/** Counts which items the list that was just pushed lacks. A list of prices ends a miss, and begins none. */
export function countLacked({ items, lacked }: Account, { pricesOnly = false }: Form): void {
  for (const { n, isListed } of items) {
    if (isListed) lacked.delete(n);
    else if (!pricesOnly) lacked.set(n, (lacked.get(n) ?? 0) + 1);
  }
}

/**
 * Does with products that two complete lists lack what the standing answer of their supplier says. Without one, the
 * operator does it with every second of them in odd months, and in even ones with all, and takes that back.
 */
export async function workOnGone(story: Story, account: Account, id: string, month: number): Promise<void> {
  const { stack } = story;
  const { supplier, lacked, items, written } = account;
  const name = `${supplier.name}-${month}, no longer listed`;
  await importSteps(() => stack).rested(id);
  const gone = items.filter(({ n }) => (lacked.get(n) ?? 0) >= 2);
  const listed = await readGoneKeys(story, id);
  expectSame(story, `${name}, list`, listed.filter(isFirst), gone.map((item) => keyOf(account, item)).sort());
  const isStanding = supplier.whenGone !== undefined;
  const isHalf = !isStanding && month % 2 === 1;
  const action =
    supplier.whenGone ?? actions[(month + suppliers.indexOf(supplier)) % actions.length] ?? 'tag';
  const chosen = gone.filter(({ n }) => (isStanding ? !written.get(n)?.isGone : !isHalf || n % 2 === 0));
  if (chosen.length === 0) return;
  const before = await readShop(stack);
  const allowed = new Map(
    chosen.map((item) => [keyOf(account, item), endsOf(story, account, { item, action, shop: before })]),
  );
  if (isStanding) await letFullAuto(story, id);
  else {
    count(story);
    const firsts = (key: string) => key.replace(/-B$/, '-A');
    const keys = isHalf ? { keys: listed.filter((key) => allowed.has(firsts(key))) } : {};
    if (keys.keys?.length === 0) return;
    await act(story, 'POST', `/api/queue/${id}/gone/plan`, { action, ...keys });
    await reach(story, id, 'ready');
    judge(story, account, { name, action, before, expected: new Map() }, await readShop(stack));
  }
  const { plan } = await reach(story, id, 'ready', 'undoing', 'undone');
  const planned = await linesOf(story, id, 'planned');
  // Where both are right, what was planned is done.
  const expected = new Map(
    [...allowed].map(([key, ends]) => [key, ends.find((end) => end === planned.get(key)) ?? ends[0] ?? '']),
  );
  expectSame(story, `${name}, plan`, entriesOf(planned), entriesOf(expected));
  const isChanging = [...expected.values()].includes(action);
  if (isChanging) {
    if (!isStanding) await act(story, 'POST', `/api/queue/${id}/gone/push`, { plan });
    await reach(story, id, 'undone');
    await importSteps(() => stack).rested(id);
    expectSame(story, name, entriesOf(await linesOf(story, id, 'done')), entriesOf(expected));
  }
  const after = await readShop(stack);
  judge(story, account, { name, action, before, expected }, after);
  noteWritten(account, { before, after }, true);
  if (isChanging && !isStanding && !isHalf) return takeBack(story, account, id, { name, before });
  for (const item of chosen.filter((one) => expected.get(keyOf(account, one)) === action)) {
    if (action === 'quantity') account.sent.set(item.n, 0);
    if (action === 'archive' || action === 'draft') account.goneStatus.set(item.n, action);
  }
}

type Change = { name: string; action: GoneAction; before: Shop; expected: ReadonlyMap<string, string> };

const keyOf = ({ supplier }: Account, item: Item): string => `s:${supplier.keyOf(item).toUpperCase()}`;
/** Of the keys of a product with variants, its first. */
const isFirst = (key: string): boolean => !key.endsWith('-B');

/** The keys of what is gone, as the screen lists them. */
async function readGoneKeys(story: Story, id: string): Promise<string[]> {
  const keys: string[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const query = new URLSearchParams({ gone: 'true', ...(after && { after }) });
    const path = `/api/queue/${id}/list/missing?${query}`;
    const page = (await act(story, 'GET', path)) as { items: { key: string }[]; next: string | null };
    keys.push(...page.items.map(({ key }) => key));
    after = page.next;
  }
  return keys;
}

function expectSame(story: Story, name: string, found: readonly string[], expected: readonly string[]): void {
  const surplus = found.filter((one) => !expected.includes(one));
  const lacking = expected.filter((one) => !found.includes(one));
  if (surplus.length + lacking.length > 0)
    say(story, name, `has ${surplus.join(', ')}, should have ${lacking.join(', ')}`);
}

/** What a careful person does with a product that is gone: the action, or why it stays; some that are both right. */
function endsOf(
  { accounts }: Story,
  account: Account,
  { item, action, shop }: { item: Item; action: GoneAction; shop: Shop },
): string[] {
  const { n, gtin } = item;
  const sells = (other: Account) =>
    other.pushed.some((one) => one.gtin === gtin && one.isListed && !other.lacked.has(one.n));
  if (accounts.some((other) => other !== account && sells(other))) return ['still-sold'];
  if (!account.made.has(n)) return ['never-pushed'];
  if (account.deleted.has(n)) return ['deleted-in-store'];
  const [product] = productsOf(shop, account, item);
  const [written, shown] = [account.written.get(n), account.shown.get(n)];
  if (!product || !written || !shown) return ['is not in the store'];
  const now = inStore(product);
  /** A push that sends nothing may have seen a change of the merchant, or not, if there was another one. */
  const unless = (code: string, isKept: (last: typeof now) => boolean) => {
    const kept = [written, shown].filter(isKept);
    return kept.length === 2 ? [code] : kept.length === 1 ? [action, code] : [action];
  };
  const status = { archive: 'ARCHIVED', draft: 'DRAFT', quantity: null, tag: null }[action];
  if (now.status === status) return ['already'];
  // The click is the decision for what is on sale. What the merchant has taken off sale is done with.
  if (status !== null)
    return unless('changed', (last) => now.status !== 'ACTIVE' && now.status !== last.status);
  if (action === 'tag' && product.tags.includes(goneTag)) return ['already'];
  // Tags stay the merchant's once a push has left them, until a person decides about them.
  if (action === 'tag' && product.tags.length > 0) return [action, 'not-sent'];
  if (action === 'tag') return unless('not-sent', (last) => now.tags !== last.tags);
  if (product.variants.every(({ quantity }) => quantity <= 0)) return ['already'];
  return unless('sold-since', (last) => now.quantity > last.quantity);
}

/** Lets full auto do what the supplier's standing answer says, as if it had pushed the list. */
async function letFullAuto(story: Story, id: string): Promise<void> {
  await story.stack.database.pool.query(
    `update runs set automatic = true where import_id = $1 and stage = 'push' and kind = 'full'`,
    [id],
  );
}

async function reach(
  story: Story,
  id: string,
  ...wanted: GoneProductsPlan['state'][]
): Promise<GoneProductsPlan> {
  const read = async () => (await act(story, 'GET', `/api/queue/${id}/gone`)) as GoneProductsPlan;
  await until(
    `what is no longer listed is ${wanted.join(' or ')}`,
    async () => {
      const { state, message } = await read();
      if (state === 'failed' || state === 'stopped') throw new Error(message ?? state);
      return wanted.includes(state);
    },
    waitMsMax,
  ).catch(async (error: Error) => {
    throw new Error(`${error.message}: ${JSON.stringify(await read())}`);
  });
  return read();
}

/** What is planned, or was done, with each product, by its first key. */
async function linesOf(
  { stack }: Story,
  id: string,
  which: 'planned' | 'done',
): Promise<Map<string, string>> {
  const { db, pool } = stack.database;
  const plan = await findPreview(db, id, 'gone');
  const { rows } = await pool.query<GoneLineRecord>('select * from preview_lines where preview = $1', [
    plan?.id,
  ]);
  return new Map(
    rows.map(({ facts, action, code, result, result_code }) => {
      const end = which === 'planned' ? (code ?? action) : (result_code ?? result);
      return [facts.keys[0] ?? '', end ?? ''];
    }),
  );
}

const entriesOf = (expected: ReadonlyMap<string, string>): string[] =>
  [...expected].map(([key, end]) => `${key}: ${end}`);

/** Compares the whole store, field by field, with what it was and what was to be done. */
function judge(
  story: Story,
  account: Account,
  { name, action, before, expected }: Change,
  after: Shop,
): void {
  const wanted = new Map<number, object>([...before].map(([id, product]) => [id, plainly(product)]));
  for (const item of account.items) {
    const [product] = productsOf(before, account, item);
    if (!product || expected.get(keyOf(account, item)) !== action) continue;
    const was = plainly(product);
    const changes: Record<GoneAction, object> = {
      archive: { status: 'ARCHIVED' },
      draft: { status: 'DRAFT' },
      tag: { tags: [...was.tags, goneTag].sort() },
      quantity: {
        variants: was.variants.map((variant) => ({ ...variant, quantity: 0 })),
      },
    };
    wanted.set(product.id, { ...was, ...changes[action] });
  }
  compare(story, name, wanted, new Map([...after].map(([id, product]) => [id, plainly(product)])));
}

/** Undoes the change of the products. The whole store is as before. */
async function takeBack(
  story: Story,
  account: Account,
  id: string,
  { name, before }: Pick<Change, 'name' | 'before'>,
): Promise<void> {
  const { stack } = story;
  const changed = await readShop(stack);
  await undoSteps(() => stack).undo(id);
  await importSteps(() => stack).rested(id);
  const after = await readShop(stack);
  const whole = (shop: Shop) =>
    new Map([...shop].map(([at, product]) => [at, comparableProduct(product, false)]));
  compare(story, `${name}, undone`, whole(before), whole(after));
  noteWritten(account, { before: changed, after });
}

function compare(
  story: Story,
  name: string,
  wanted: ReadonlyMap<number, object | undefined>,
  found: ReadonlyMap<number, object | undefined>,
): void {
  for (const id of new Set([...wanted.keys(), ...found.keys()])) {
    const [is, should] = [JSON.stringify(found.get(id)), JSON.stringify(wanted.get(id))];
    if (is !== should) say(story, name, `is ${is}, should be ${should}`);
  }
}

/** All of a product but times and our own notes. */
function plainly({ updatedAtMs: _, changes: _changes, metafields, variants, tags, ...rest }: StoredProduct) {
  return {
    ...rest,
    tags: tags.toSorted(),
    metafields: metafields.filter(({ namespace }) => namespace !== 'scd' && !namespace.startsWith('$app')),
    variants: variants.map(({ quantities: _quantities, ...variant }) => variant),
  };
}
