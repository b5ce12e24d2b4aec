import { csvOf, storedImport, until } from '../support/fixture.ts';
import { itemsNow } from '../support/items-now.ts';
import { pushSteps } from '../support/push-steps.ts';
import type { Stack } from '../support/stack.ts';
import { countOpenChunks } from './held-imports.ts';

const products = 12;

type Listed = { n: number; price: string; quantity: number };

/** The first list of a supplier and the next one: changed, conflicting, new, gone and reordered. */
function listsOf(label: string): { first: string; next: string } {
  const listed = (from: number, to: number): Listed[] =>
    Array.from({ length: to - from + 1 }, (_, at) => ({ n: from + at, price: '9.90', quantity: 5 }));
  const csv = (items: readonly Listed[]) =>
    csvOf([
      ['Title', 'Price', 'SKU', 'Quantity', 'Brand'],
      ...items.map(({ n, price, quantity }) => [
        `Vase ${label} ${n}`,
        price,
        `${label}-${n}`,
        String(quantity),
        `House ${label}`,
      ]),
    ]);
  const next = listed(2, products + 2).map((item) => {
    if (item.n === 4) return { ...item, price: '11.00' };
    return item.n === 5 ? { ...item, price: '8.00', quantity: 6 } : item;
  });
  return { first: csv(listed(1, products)), next: csv(next.toReversed()) };
}

/** When the interference begins: with the first list, or with the next one. */
type Interference = { begin: 'first' | 'next'; interfere: () => Promise<void> };

/**
 * Two lists of a new supplier, which both are pushed: the first one after corrections. Returns what is stored and in
 * the store afterwards, with `label` as X.
 */
export async function playLists(stack: Stack, label: string, interference?: Interference): Promise<string[]> {
  const { reach, push, edit } = pushSteps(() => stack);
  const { first, next } = listsOf(label);
  let interfered = Promise.resolve();
  const begin = (when: Interference['begin']) => {
    if (interference?.begin === when) interfered = interference.interfere();
  };
  const pushed = async (filename: string, csv: string, work: (id: string) => Promise<void>) => {
    const { id } = await storedImport(stack, { csv, filename });
    await reach(id, 'processed', 'queued');
    await work(id);
    await push(id);
    await reach(id, 'completed');
    await until('its tasks have ended', async () => (await countOpenChunks(stack, id)) === 0);
    return id;
  };
  begin('first');
  const firstId = await pushed(`${label} first.csv`, first, async (id) => {
    await edit(id, 3, { title: `Corrected ${label}` });
    await edit(id, 4, { price: '10.50' });
    await edit(id, 6, { vendor: `House of ${label}` });
    await edit(id, 8, { leaveOut: 'yes' });
  });
  begin('next');
  const nextId = await pushed(`${label} next.csv`, next, async () => {});
  await interfered;
  const lines = await stored(stack, [firstId, nextId]);
  const store = (await stack.store.products())
    .filter(({ title }) => title.includes(label))
    .map(({ title, status, variants }) =>
      JSON.stringify([title, status, variants.map(({ price, sku }) => [price, sku])]),
    );
  return [...lines, ...store.sort()].map((line) => line.replaceAll(label, 'X'));
}

/** What two lists of a supplier leave in the database: no ids, offsets and times. */
async function stored({ database }: Stack, imports: readonly string[]): Promise<string[]> {
  const lines = async (text: string, values: unknown[]) => {
    const { rows } = await database.pool.query<{ line: string }>(
      `select line::text from (${text}) found`,
      values,
    );
    return rows.map(({ line }) => line);
  };
  const [, next] = imports;
  const ofSupplier = `supplier in (select supplier from imports where id = any($1::uuid[]))`;
  return [
    await lines(
      `select json_build_array('supplier', name) as line from suppliers
      where id in (select supplier from imports where id = any($1::uuid[]))`,
      [imports],
    ),
    await lines(
      `select json_build_array('list', number, filename, state, compared_with, counts, findings) as line
      from supplier_lists where ${ofSupplier} order by number`,
      [imports],
    ),
    await lines(
      `select json_build_array('item', key, title, price, quantity, first_list, content_list, missed_since,
        (select outcome from outcomes where outcomes.our_id = items.our_id and outcomes.import_id = $2)) as line
      from ${itemsNow(database)} where ${ofSupplier} order by key`,
      [imports, next],
    ),
    // The first list has versions of its own where a title was edited after its items were kept.
    await lines(
      `select json_build_array('change', list, key, versions.price, missed) as line
      from item_versions versions join supplier_items items on items.id = item
      where versions.${ofSupplier} and list > 1 order by list, key`,
      [imports],
    ),
    await lines(
      `select json_build_array('carried', case when subject like 'p:%' then 'p' else key end, field, kind, value,
        said_of, source, said_in) as line
      from carried_values left join supplier_items items on subject = 'i:' || items.id
      where carried_values.${ofSupplier} order by said_in, field, value, key`,
      [imports],
    ),
    await lines(
      `select json_build_array('edit', edits.row, field, before, after, kind, state) as line
      from edits join edit_commands on edit_commands.id = edits.command
      where edits.import_id = $1 order by edits.row, field, edits.id`,
      [next],
    ),
    await lines(
      `select json_build_array('proposal', row, field, before, value, source, state) as line from proposals
      where import_id = $1 order by row, field`,
      [next],
    ),
    await lines(
      `select json_build_array('row', row_items.row, change, our_id is not null) as line from row_items
      join imports on imports.id = row_items.import_id and rows_run = run where import_id = $1 order by row`,
      [next],
    ),
  ].flat();
}
