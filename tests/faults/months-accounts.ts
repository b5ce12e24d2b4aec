import type { StoredProduct } from '../../apps/simulators/store/src/catalogue.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { WorkerStack } from '../support/test.ts';
import type { Random } from './fault-random.ts';
import { dropped, type Item, type Supplier } from './months-lists.ts';

/** Everything that the store has, by id. */
export type Shop = ReadonlyMap<number, StoredProduct>;

export async function readShop({ store }: Pick<WorkerStack, 'store'>): Promise<Shop> {
  const products = (await store.products()) as unknown as StoredProduct[];
  return new Map(products.map((product) => [product.id, product]));
}

/** What the operator wants for the products of a supplier, by number. */
type Wishes = {
  titles: Map<number, string>;
  /** In cents. */
  prices: Map<number, number>;
  leftOut: Set<number>;
};

/** A supplier in the story, and what is expected of its products, by number. */
export type Account = {
  supplier: Supplier;
  /** Of the supplier as it was found; null before the first list. */
  id: number | null;
  items: Item[];
  /** The items of the last list that was pushed, and whether the command on all of it was done to that list. */
  pushed: Item[];
  isRepeated: boolean;
  /**
   * The quantity of each item that was sent last; what the store had after the last push of it; and a quantity that was
   * not sent, with the one that the store had to have for it: somebody had sold.
   */
  sent: Map<number, number>;
  shown: Map<number, InStore>;
  refused: Map<number, { quantity: number; last: number }>;
  wishes: Wishes;
  /** Numbers of products that were pushed, and of those that the merchant deleted. */
  made: Set<number>;
  deleted: Set<number>;
  /** The operator has said once that the list's quantities are sent over sales. */
  isStockSettled: boolean;
  /** Prices that the merchant has set; ours that were sent last; and pairs of both that were decided on, in order. */
  priced: Map<number, string>;
  sentPrices: Map<number, string>;
  keptPrices: Map<number, string[]>;
  /** Items that only the story itself changes. */
  steady: Set<number>;
  /** The status that a product got because no list had it. */
  goneStatus: Map<number, string>;
  /** What was asked about earlier lists, and deleted products that no list with them has asked about. */
  asked: Set<string>;
  unasked: Set<number>;
  /** How many complete lists in a row have lacked an item; absent: an item that the last list has. */
  lacked: Map<number, number>;
  /** As the store had it after our last write. `isGone`: that was one because it is no longer listed. */
  written: Map<number, InStore & { isGone: boolean }>;
};

/** What a merchant changes of a product. `quantity`: of its first variant. */
type InStore = { status: string; quantity: number; tags: string };

export const inStore = ({ status, variants, tags }: StoredProduct): InStore => ({
  ...{ status, quantity: variants[0]?.quantity ?? 0, tags: tags.join() },
});

export type Story = {
  stack: WorkerStack;
  random: Random;
  accounts: Account[];
  /** What another operator calls. */
  second: Operator;
  wrong: string[];
  decisions: number[];
};

/** An account before the first list. */
export const newAccount = (supplier: Supplier, items: Item[]): Account => ({
  ...{ supplier, id: null, items, pushed: [], isRepeated: false, isStockSettled: false },
  wishes: { titles: new Map(), prices: new Map(), leftOut: new Set() },
  ...{ sent: new Map(), shown: new Map(), refused: new Map(), lacked: new Map(), written: new Map() },
  ...{ made: new Set(), deleted: new Set(), unasked: new Set(), asked: new Set() },
  ...{ priced: new Map(), sentPrices: new Map(), keptPrices: new Map() },
  ...{ steady: new Set([...dropped, 7, 9, 10, 14]) },
  ...{ goneStatus: new Map() },
});

/** Notes what is not as a careful person would have it. */
export const say = ({ wrong }: Story, name: string, text: string) => wrong.push(`${name}: ${text}`);

/** Counts decisions of the operator in this month. */
export const count = ({ decisions }: Story, times = 1) => {
  decisions[decisions.length - 1] = (decisions.at(-1) ?? 0) + times;
};

/** Somebody who calls the api. */
export type Operator = Pick<ApiClient, 'call'>;

/** A call that must succeed. */
export async function act(
  { stack }: Story,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH',
  path: string,
  body?: unknown,
  by: Operator = stack.api,
): Promise<unknown> {
  const call = () => by.call(method, path, body === undefined ? undefined : { body });
  let answer = await call();
  // On a busy machine another operation may hold the rows for long. An operator tries again.
  const isBusy = () => (answer.body as { code?: string }).code === 'busy';
  for (let tries = 1; isBusy() && tries < 10; tries += 1) answer = await call();
  if (answer.status >= 300) throw new Error(`${method} ${path} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const keysOf = ({ variants }: StoredProduct) => variants.map(({ sku }) => sku ?? '');

/** The products of the store that are of an item: by its supplier's name in title or vendor, or by its own keys. */
export function productsOf(shop: Shop, { supplier }: Account, item: Item): StoredProduct[] {
  const keys = [supplier.keyOf(item), supplier.keyOf({ ...item, code: item.n })];
  return [...shop.values()].filter(
    (product) =>
      keysOf(product).some((key) => keys.includes(key)) && isTitleOf(product.title, supplier, item),
  );
}

/** Whether a title is of an item, also one that was corrected. */
export const isTitleOf = (title: string, { name }: Supplier, { n }: Item): boolean =>
  [`${name}${n}`, `${name} ${n}.`].some((end) => title.split(' new')[0]?.endsWith(end));

/** Notes what our write has left in the store, of the products that it has changed. */
export function noteWritten(
  account: Account,
  { before, after }: { before: Shop; after: Shop },
  isGone = false,
) {
  for (const item of account.items) {
    const [product] = productsOf(after, account, item);
    const known = product && before.get(product.id);
    if (!product || (known && JSON.stringify(known) === JSON.stringify(product))) continue;
    account.written.set(item.n, { ...inStore(product), isGone });
    account.shown.set(item.n, inStore(product));
  }
}
