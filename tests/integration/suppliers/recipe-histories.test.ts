import { beginCommand } from '@draftshelf/core/review/commands/begin-command';
import { undoCommand } from '@draftshelf/core/review/commands/begin-undo';
import { editRows } from '@draftshelf/core/review/edits';
import type { EffectiveRow } from '@draftshelf/core/review/effective-rows';
import { listOfferedRecipes } from '@draftshelf/core/suppliers/recipes';
import { answerRecipes } from '@draftshelf/core/suppliers/recipes/answer-recipes';
import type { CommandTarget } from '@draftshelf/domain/review/operations/command-target';
import type { Operation } from '@draftshelf/domain/review/operations/operation';
import type { StepTarget } from '@draftshelf/domain/review/operations/recipe';
import { expect } from 'vitest';
import { createRandom, seedOfRun } from '../../faults/fault-random.ts';
import { type Cell, ModelList, type Said } from '../../support/carried-model.ts';
import { csvOf } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import {
  type ModelOperation,
  type ModelTarget,
  type RecipeCommand,
  RecipeModel,
} from '../../support/recipe-model.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(readers);
const { read, rested, accepted, rowsOf, nextList, newSupplier } = importSteps(() => stack);

const steps = isLong ? 10_000 : 50;
/** Each has a supplier of its own: a long one gets slower, because all lists are compared from time to time. */
const histories = isLong ? 20 : 1;
const keys = ['A-1', 'B-2', 'C-3', 'D-4', 'E-5', 'F-6'];
const brands = ['Nike', 'Puma', 'Asics'];

it(`ends as a model says after ${steps} random acts`, { timeout: steps * 3_000 }, async () => {
  const random = createRandom(seedOfRun());
  console.log(`FAULT_SEED=${random.seed}`);
  for (let nth = 1; nth <= histories; nth += 1) {
    await new History(random, `Histories ${nth}`).run(steps / histories);
    if (isLong) console.log(`${nth} of ${histories} histories`);
  }
});

/** An operation, and what it does according to the model. */
type Known = ModelOperation & { operation: Operation };

const known: readonly Known[] = [
  ...['1', '2'].map(
    (amount): Known => ({
      ...{ name: `add ${amount}`, field: 'price' },
      operation: { kind: 'calculate', field: 'price', by: 'add', amount },
      apply: (value) => String(Number(value) + Number(amount)),
    }),
  ),
  ...brands.map(
    (brand): Known => ({
      ...{ name: `brand ${brand}`, field: 'vendor' },
      operation: { kind: 'set', field: 'vendor', value: brand },
      apply: () => brand,
    }),
  ),
  {
    ...{ name: 'prefix', field: 'title' },
    operation: { kind: 'prefix', field: 'title', text: 'X ' },
    apply: (value) => `X ${value}`,
  },
];

type Random = ReturnType<typeof createRandom>;
type OpenList = {
  id: string;
  list: ModelList;
  rows: Map<string, EffectiveRow>;
  commands: RecipeCommand[];
  /** The undos by command. */
  undos: Map<string, string>;
};

/** Random acts on the lists of a supplier, compared with the model after each. */
class History {
  private readonly random: Random;
  private readonly name: string;
  private readonly model = new RecipeModel();
  private readonly lists: OpenList[] = [];
  private supplier = 0;

  constructor(random: Random, name: string) {
    this.random = random;
    this.name = name;
  }

  async run(count: number): Promise<void> {
    this.supplier = await newSupplier(this.name);
    await this.nextList();
    const acts = [
      ...this.act(9, 'edit', () => this.edit()),
      ...this.act(9, 'command on a filter', () => this.command(false)),
      ...this.act(5, 'command on rows', () => this.command(true)),
      ...this.act(6, 'recipes', () => this.repeat()),
      ...this.act(9, 'undo or redo', () => this.undo()),
      ...this.act(3, 'next list', () => this.nextList()),
    ];
    for (let step = 0; step < count; step += 1) {
      const { name, run } = this.random.pick(acts);
      await run();
      for (const open of this.lists.slice(-3)) await this.compare(open, `step ${step} ${name}`);
    }
  }

  private act(weight: number, name: string, run: () => Promise<void>) {
    return Array.from({ length: weight }, () => ({ name, run }));
  }

  private pickList = (): OpenList => this.random.pick(this.lists.slice(-3));

  private async nextList(): Promise<void> {
    const there = keys.filter(() => this.random.between(0, 1) < 0.85);
    const said: Said = Object.fromEntries(
      (there.length > 1 ? there : keys).map((key) => [
        key,
        {
          price: String(this.random.pick([10, 20, 30, 40])),
          title: `Vase ${key} of list ${this.lists.length}`,
          vendor: this.random.pick(brands),
        },
      ]),
    );
    const csv = csvOf([
      ['Title', 'Price', 'SKU', 'Brand'],
      ...Object.entries(said).map(([key, { title = '', price = '', vendor = '' }]) => [
        title,
        price,
        key,
        vendor,
      ]),
    ]);
    const id = await nextList(this.supplier, csv);
    await rested(id);
    const open: OpenList = { id, list: new ModelList(said), rows: new Map(), commands: [], undos: new Map() };
    this.model.read(id, open.list, `carried ${id}`);
    this.lists.push(open);
    await this.compare(open, 'a list that was just read');
  }

  private async edit(): Promise<void> {
    const open = this.pickList();
    const key = this.random.pick(Object.keys(open.list.said));
    const value = String(this.random.pick([11, 20, 22, 30]));
    const row = open.rows.get(key)?.row ?? 0;
    const { command } = await accepted((trx) =>
      editRows(trx, open.id, { kind: 'single' }, [{ row, values: { price: value } }]),
    );
    const edits = new Map([[`${key} price` as Cell, value]]);
    open.commands.push(
      this.model.act(open.list, {
        ...{ id: command, edits, isCarriable: true, isByRows: false, isRepeated: false, steps: [] },
      }),
    );
  }

  private async command(isByRows: boolean): Promise<void> {
    const open = this.pickList();
    // A value that is set in chosen rows is carried, and no recipe.
    const one = this.random.pick(isByRows ? known.filter(({ field }) => field !== 'vendor') : known);
    const there = Object.keys(open.list.said);
    const chosen = [...new Set([this.random.pick(there), this.random.pick(there)])];
    const filter =
      this.random.between(0, 1) < 0.5 ? null : { field: 'vendor', value: this.random.pick(brands) };
    const target: ModelTarget = isByRows ? { keys: chosen } : filter;
    const changes = this.model.changesOf(open.list, [{ operation: one, target }], false);
    if (changes.edits.size === 0) return;
    const { rows_run: run } = await read(open.id);
    const rows = chosen.map((key) => open.rows.get(key)?.row ?? 0);
    const stored: CommandTarget = isByRows ? { rows, run } : (filterOf(filter) as CommandTarget);
    const { command } = await accepted((trx) =>
      beginCommand(trx, open.id, { target: stored, operations: [one.operation], sinceEdit: null }),
    );
    const acted = { id: command.id, ...changes, isCarriable: false, isByRows, isRepeated: false };
    open.commands.push(this.model.act(open.list, acted));
  }

  private async repeat(): Promise<void> {
    const open = this.pickList();
    const offered = await this.offered(open);
    const chosen = offered.filter(() => this.random.between(0, 1) < 0.6);
    if (chosen.length === 0) return;
    const changes = this.model.changesOf(open.list, chosen, true);
    const uses = { columns: {}, fields: {} };
    const { command } = await accepted((trx) =>
      answerRecipes(
        trx,
        open.id,
        chosen.map(({ id }) => ({ id, uses })),
        'call',
      ),
    );
    await rested(open.id);
    const acted = { id: command ?? '', ...changes, isCarriable: false, isByRows: false, isRepeated: true };
    open.commands.push(this.model.act(open.list, acted));
  }

  private async undo(): Promise<void> {
    const open = this.pickList();
    if (open.commands.length === 0) return;
    const command = this.random.pick(open.commands.slice(-5));
    if (open.list.changedBy(command).length === 0) return;
    const of = command.isUndone ? (open.undos.get(command.id) ?? '') : command.id;
    const undone = await accepted((trx) => undoCommand(trx, open.id, of));
    if (!command.isUndone) open.undos.set(command.id, undone.command);
    this.model.toggle(open.list, command);
  }

  /** The recipes that are offered for a list, in the words of the model. */
  private async offered({ id }: OpenList) {
    const recipes = await listOfferedRecipes(stack.database.db, await read(id));
    const { rows: items } = await stack.database.pool.query<{ id: number; key: string }>(
      'select id, key from supplier_items where supplier = (select supplier from imports where id = $1)',
      [id],
    );
    const keys = new Map(items.map((item) => [item.id, item.key.slice(2)]));
    return recipes.map((recipe) => {
      const operation = known.find(
        (one) => JSON.stringify(one.operation) === JSON.stringify(recipe.operations[0]),
      );
      if (!operation) throw new Error(`No such operation: ${JSON.stringify(recipe.operations)}`);
      return { id: recipe.id, operation, target: targetOf(recipe.target, keys), rows: recipe.rows_last };
    });
  }

  private async compare(open: OpenList, step: string): Promise<void> {
    const { list } = open;
    const rows = await rowsOf(open.id);
    open.rows = new Map(rows.map((row) => [row.cells[2] ?? '', row]));
    const now = rows.map(({ cells, values }) => [
      cells[2],
      Number(values.price),
      values.title,
      values.vendor,
    ]);
    const expected = Object.keys(list.said).map((key) => [
      key,
      Number(list.value(`${key} price`)),
      list.value(`${key} title`),
      list.value(`${key} vendor`),
    ]);
    expect(now, step).toEqual(expected);
    const offered = (await this.offered(open)).map(
      ({ operation, target }) => `${operation.name} ${JSON.stringify(target)}`,
    );
    // At most 20, those that were done last.
    const all = this.model.offered(open.id, list);
    if (all.length <= 20) expect(offered.sort(), step).toEqual(all.sort());
    else expect(offered).toHaveLength(20);
  }
}

const filterOf = (filter: { field: string; value: string } | null): StepTarget =>
  filter === null ? {} : { value: `${filter.field}:${filter.value}` };

function targetOf(target: StepTarget, keys: ReadonlyMap<number, string>): ModelTarget {
  if ('items' in target) return { keys: target.items.map((item) => keys.get(item) ?? '').sort() };
  const [field = '', value = ''] = (target.value ?? '').split(':');
  return field === '' ? null : { field, value };
}
