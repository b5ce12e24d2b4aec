import { findImport } from '@draftshelf/core/imports/imports';
import { beginReread } from '@draftshelf/core/reading/begin-reread';
import { beginCommand } from '@draftshelf/core/review/commands/begin-command';
import { undoCommand } from '@draftshelf/core/review/commands/begin-undo';
import { editRows } from '@draftshelf/core/review/edits';
import type { EffectiveRow } from '@draftshelf/core/review/effective-rows';
import { dismissProposals, takeProposals } from '@draftshelf/core/review/proposals/decide-proposals';
import { listProposals } from '@draftshelf/core/review/proposals/listed-proposals';
import { deleteImport } from '@draftshelf/core/work/delete-import';
import { currentRows } from '@draftshelf/core/work/runs';
import { supplierSource } from '@draftshelf/domain/enrich/sources';
import type { CommandTarget } from '@draftshelf/domain/review/operations/command-target';
import { type Operation, subjectOf } from '@draftshelf/domain/review/operations/operation';
import { expect } from 'vitest';
import { createRandom, seedOfRun } from '../../faults/fault-random.ts';
import { type Cell, type ModelCommand, ModelList, type Said } from '../../support/carried-model.ts';
import { csvOf, until } from '../../support/fixture.ts';
import { importSteps, waitMsMax } from '../../support/import-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { type RecipeCommand, RecipeModel } from '../../support/recipe-model.ts';
import { gtinOf } from '../../support/sources.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(readers);
const { read, reach, rested, accepted, rowsOf, nextList, newSupplier } = importSteps(() => stack);

const steps = isLong ? 10_000 : 40;
/** Each has a supplier of its own: a long one gets slower, because all lists are compared from time to time. */
const histories = isLong ? 20 : 1;
const keys = ['A-1', 'B-2', 'C-3', 'D-4', 'E-5', 'F-6'];
/** Acts change one of the last three lists, so all are compared from time to time only: there are hundreds of them. */
const recentLists = 5;
const allComparedEvery = 50;
const fields = ['price', 'title', 'leaveOut'] as const;

it(`ends as a model says after ${steps} random acts`, { timeout: steps * 3_000 }, async () => {
  const random = createRandom(seedOfRun());
  console.log(`FAULT_SEED=${random.seed}`);
  for (let nth = 1; nth <= histories; nth += 1) {
    await new History(random, `Histories ${nth}`).run(steps / histories);
    if (isLong) console.log(`${nth} of ${histories} histories`);
  }
});

type Random = ReturnType<typeof createRandom>;
type Undoable = { command: ModelCommand } | { dismissal: string; isUndone: boolean };
type OpenList = {
  id: string;
  list: ModelList;
  rows: Map<string, EffectiveRow>;
  undoable: Undoable[];
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
    const acts = this.weighted();
    for (let step = 0; step < count; step += 1) {
      const { name, act } = this.random.pick(acts);
      await act();
      const compared = step % allComparedEvery === 0 ? this.lists : this.lists.slice(-recentLists);
      for (const list of compared) await this.compare(list, `step ${step} ${name}`);
    }
  }

  private weighted() {
    const act = (weight: number, name: string, run: () => Promise<void>) =>
      Array.from({ length: weight }, () => ({ name, act: run }));
    return [
      ...act(10, 'edit', () => this.edit()),
      ...act(6, 'set rows', () => this.bulk(true)),
      ...act(2, 'set all', () => this.bulk(false)),
      ...act(2, 'prefix rows', () => this.prefix()),
      ...act(5, 'take', () => this.take()),
      ...act(5, 'dismiss', () => this.dismiss()),
      ...act(10, 'undo or redo', () => this.undo()),
      ...act(5, 'next list', () => this.nextList()),
      ...act(2, 'read again', () => this.readAgain()),
      ...act(1, 'delete', () => this.delete()),
    ];
  }

  private pickList(): OpenList {
    return this.random.pick(this.lists.slice(-3));
  }

  private pickKeys({ list }: OpenList): string[] {
    const there = Object.keys(list.said);
    return [...new Set([this.random.pick(there), this.random.pick(there)])];
  }

  private valueOf(field: string, key: string): string {
    if (field === 'leaveOut') return 'yes';
    const number = this.random.pick(['10', '11.00', '12.50', '13', '14.4', '15.00']);
    return field === 'price' ? number : `Vase ${key} in ${number}`;
  }

  private async nextList(): Promise<void> {
    const there = keys.filter(() => this.random.between(0, 1) < 0.85);
    const last: Said = this.lists.at(-1)?.list.said ?? {};
    const said: Said = Object.fromEntries(
      (there.length > 1 ? there : keys).map((key): [string, Record<string, string>] => {
        const before = last[key];
        const again = (field: string) =>
          before && this.random.between(0, 1) < 0.6 ? String(before[field]) : this.valueOf(field, key);
        return [key, { price: again('price'), title: again('title') }];
      }),
    );
    const shuffled = Object.entries(said).sort(() => this.random.between(-1, 1));
    const csv = csvOf([
      ['Title', 'Price', 'SKU', 'UPC'],
      ...shuffled.map(([key, { title = '', price = '' }]) => [
        title,
        price,
        key,
        gtinOf(keys.indexOf(key) + 1),
      ]),
    ]);
    const id = await nextList(this.supplier, csv);
    await untilQuiet(id);
    const open: OpenList = {
      ...{ id, list: new ModelList(said), rows: new Map() },
      ...{ undoable: [], undos: new Map() },
    };
    this.lists.push(open);
    await this.readByModel(open);
    await this.expectOwnValues(open);
  }

  private async readByModel(open: OpenList): Promise<void> {
    const command = `carried ${open.list.commands.length}`;
    this.model.read(open.id, open.list, command);
    const last = open.list.commands.at(-1);
    if (last?.id !== command) return;
    const { rows } = await stack.database.pool.query<{ id: string }>(
      `select id from edit_commands where import_id = $1 and kind = 'carried' order by created_at desc limit 1`,
      [open.id],
    );
    last.id = rows[0]?.id ?? 'missing';
    open.undoable.push({ command: last });
  }

  private act(open: OpenList, command: Omit<ModelCommand, 'isUndone'> & Partial<RecipeCommand>): void {
    const { steps = [], isByRows = false } = command;
    const acted = this.model.act(open.list, { ...command, steps, isByRows, isRepeated: false });
    open.undoable.push({ command: acted });
  }

  private async edit(): Promise<void> {
    const open = this.pickList();
    const [key = ''] = this.pickKeys(open);
    const field = this.random.pick(fields);
    const isBack = this.random.between(0, 1) < 0.2;
    const value = isBack ? null : this.valueOf(field, key);
    const row = open.rows.get(key)?.row ?? 0;
    const { command } = await accepted((trx) =>
      editRows(trx, open.id, { kind: 'single' }, [{ row, values: { [field]: value } }]),
    );
    this.act(open, { id: command, edits: new Map([[`${key} ${field}` as Cell, value]]), isCarriable: true });
  }

  private async bulk(isRows: boolean): Promise<void> {
    const open = this.pickList();
    const chosen = isRows ? this.pickKeys(open) : Object.keys(open.list.said);
    const field = this.random.pick(fields);
    const value = this.valueOf(field, 'X');
    const leaveOut = this.random.between(0, 1) < 0.7;
    const operation: Operation =
      field === 'leaveOut' ? { kind: 'leave-out', leaveOut } : { kind: 'set', field, value };
    const after = field === 'leaveOut' ? (leaveOut ? 'yes' : null) : value;
    const changed = chosen
      .map((key) => `${key} ${field}` as Cell)
      .filter((cell) => open.list.value(cell) !== (after ?? ''));
    await this.operate(
      open,
      isRows ? chosen : null,
      operation,
      new Map(changed.map((cell) => [cell, after])),
    );
  }

  private async prefix(): Promise<void> {
    const open = this.pickList();
    const chosen = this.pickKeys(open);
    const edits = chosen.map((key): [Cell, string] => {
      const cell: Cell = `${key} title`;
      return [cell, `X ${open.list.value(cell)}`];
    });
    await this.operate(open, chosen, { kind: 'prefix', field: 'title', text: 'X ' }, new Map(edits), false);
  }

  private async operate(
    open: OpenList,
    chosen: readonly string[] | null,
    operation: Operation,
    edits: Map<Cell, string | null>,
    isConstant = true,
  ): Promise<void> {
    const { rows_run: run } = await read(open.id);
    const rows = (chosen ?? []).map((key) => open.rows.get(key)?.row ?? 0);
    const target: CommandTarget = chosen === null ? {} : { rows, run };
    const { command } = await accepted((trx) =>
      beginCommand(trx, open.id, { target, operations: [operation], sinceEdit: null }),
    );
    const isCarriable = chosen !== null && isConstant;
    const step = {
      operation: { name: JSON.stringify(operation), field: subjectOf(operation), apply: String },
      ...{ target: null, rows: edits.size },
    };
    const steps = isCarriable ? [] : [step];
    if (edits.size > 0)
      this.act(open, { id: command.id, edits, isCarriable, isByRows: chosen !== null, steps });
  }

  private async take(): Promise<void> {
    const open = this.pickList();
    const [proposal] = await proposalsOf(open.id);
    if (!proposal) return;
    const cell = cellOf(open, proposal);
    const shown = open.list.value(cell);
    const { command, left } = await takeProposals(stack.database.db, open.id, [proposal.id]);
    // A value that was set since is replaced only where it is shown: by a proposal that is taken by itself.
    const isChanged = shown !== proposal.before && shown !== proposal.value;
    expect({ command, left }).toEqual(
      isChanged
        ? { command: null, left: [{ id: proposal.id, reason: 'changed' }] }
        : { command: expect.any(String), left: [] },
    );
    this.act(open, {
      id: command ?? (await takeShown(open.id, proposal.id, shown)),
      ...{ edits: new Map([[cell, proposal.value]]), isCarriable: true, isTheirs: true },
    });
  }

  private async dismiss(): Promise<void> {
    const open = this.pickList();
    const chosen = (await proposalsOf(open.id)).slice(0, 2);
    if (chosen.length === 0) return;
    const ids = chosen.map(({ id }) => id);
    const { command } = await stack.database.db
      .transaction()
      .execute((trx) => dismissProposals(trx, open.id, ids));
    const cells = chosen.map((proposal) => cellOf(open, proposal));
    this.model.carried.dismiss(open.list, cells, command ?? undefined);
    open.undoable.push({ dismissal: command ?? '', isUndone: false });
  }

  private async undo(): Promise<void> {
    const open = this.pickList();
    if (open.undoable.length === 0) return;
    const chosen = this.random.pick(open.undoable.slice(-4));
    if ('dismissal' in chosen) {
      const proposals = [...open.list.proposals.values()].filter(
        (one) => one.dismissedBy === chosen.dismissal,
      );
      if (!proposals.some(({ state }) => (state === 'open') === chosen.isUndone)) return;
      await this.undoOrRedo(open, chosen.dismissal, chosen.isUndone);
      chosen.isUndone = !chosen.isUndone;
      this.model.carried.toggleDismissal(open.list, chosen.dismissal, chosen.isUndone);
      return;
    }
    const { command } = chosen;
    if (open.list.changedBy(command).length === 0) return;
    await this.undoOrRedo(open, command.id, command.isUndone);
    this.model.toggle(open.list, command);
  }

  private async undoOrRedo({ id, undos }: OpenList, command: string, isRedo: boolean): Promise<void> {
    const of = isRedo ? (undos.get(command) ?? '') : command;
    const undone = await accepted((trx) => undoCommand(trx, id, of));
    if (!isRedo) undos.set(command, undone.command);
  }

  private async readAgain(): Promise<void> {
    const open = this.pickList();
    const { parse_run } = await read(open.id);
    await accepted((trx) => beginReread(trx, open.id, {}));
    const isReadAgain = async () => {
      const { rows_run, status } = await read(open.id);
      return rows_run > parse_run && ['processed', 'queued'].includes(status);
    };
    await until('the list is read again', isReadAgain, waitMsMax);
    await untilQuiet(open.id);
    await this.readByModel(open);
  }

  private async delete(): Promise<void> {
    if (this.lists.length < 3) return;
    const chosen = this.random.pick(this.lists.slice(0, -1));
    await accepted((trx) => deleteImport(trx, chosen.id));
    const isDeleted = async () => (await findImport(stack.database.db, chosen.id)) === undefined;
    await until('the list is deleted', isDeleted, waitMsMax);
    this.model.keep(chosen.id, chosen.list);
    this.model.carried.lists.delete(chosen.id);
    this.lists.splice(this.lists.indexOf(chosen), 1);
  }

  private async compare(open: OpenList, step: string): Promise<void> {
    const { list } = open;
    const rows = await rowsOf(open.id);
    open.rows = new Map(rows.map((row) => [row.cells[2] ?? '', row]));
    const now = Object.fromEntries(
      rows.map(({ cells, values, leftOut }) => [cells[2], [values.price, values.title, leftOut]]),
    );
    const expected = Object.fromEntries(
      Object.keys(list.said).map((key) => [
        key,
        [list.value(`${key} price`), list.value(`${key} title`), list.value(`${key} leaveOut`) === 'yes'],
      ]),
    );
    expect(now, step).toEqual(expected);
    const proposed = (await proposalsOf(open.id)).map(
      (one) => `${cellOf(open, one)} ${one.before} → ${one.value}`,
    );
    const toDecide = [...list.proposals].flatMap(([cell, { state, yours, value }]) =>
      state === 'open' ? [`${cell} ${yours} → ${value}`] : [],
    );
    expect(proposed.sort(), step).toEqual(toDecide.sort());
  }

  /** In a list that was just read, no value is the supplier's where the operator's stands. */
  private async expectOwnValues(open: OpenList): Promise<void> {
    await this.compare(open, 'a list that was just read');
    const { rows: kept } = await stack.database.pool.query<{ subject: string; field: string; value: string }>(
      `select * from (
         select distinct on (subject, field) key as subject, field, value
         from carried_values join supplier_items items on subject = 'i:' || items.id
         where carried_values.supplier = $1 order by subject, field, set_at desc nulls last, said_at desc) counting
       where value is not null`,
      [this.supplier],
    );
    for (const { subject, field, value } of kept) {
      const row = open.rows.get(subject.slice(2));
      if (!row) continue;
      if (field === 'leaveOut') expect(row.leftOut, subject).toBe(true);
      else expect(Number(row.values.price), subject).toBe(Number(value));
    }
  }
}

const cellOf = ({ rows }: OpenList, { row, field }: { row: number; field: string }): Cell => {
  const found = [...rows].find(([, one]) => one.row === row);
  return `${found?.[0]} ${field}` as Cell;
};

const proposalsOf = async (id: string) =>
  listProposals(stack.database.db, currentRows(await read(id)), {
    filter: { source: supplierSource },
    limit: 50,
  });

/** Takes a proposal over the value that is shown; the command. */
async function takeShown(id: string, proposal: number, shown: string): Promise<string> {
  const body = { action: 'take', shown };
  const answer = await stack.api.call('POST', `/api/queue/${id}/proposals/${proposal}`, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return (answer.body as { command: string }).command;
}

/** Waits for the tasks of an import: items keep their ids, and edits are not blocked. */
async function untilQuiet(id: string): Promise<void> {
  await rested(id);
  await reach(id, 'queued', 'processed');
}
