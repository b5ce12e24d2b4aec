import { deriveOurId } from '@draftshelf/core/imports/our-id';
import { beginReread } from '@draftshelf/core/reading/begin-reread';
import { undoCommand } from '@draftshelf/core/review/commands/begin-undo';
import { editRows } from '@draftshelf/core/review/edits';
import { readRowPage } from '@draftshelf/core/review/effective-rows';
import { deleteImport } from '@draftshelf/core/work/delete-import';
import { currentRows } from '@draftshelf/core/work/runs';
import { sheetPlace } from '@draftshelf/csv/place';
import { workbookFile } from '@draftshelf/workbooks/testing/workbook-file';
import { expect } from 'vitest';
import { createRandom, type Random, seedOfRun } from '../../faults/fault-random.ts';
import { until } from '../../support/fixture.ts';
import { importSteps, waitMsMax } from '../../support/import-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { type ModelImport, type SheetCell, SheetsModel } from '../../support/sheets-model.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(readers);
const { upload, read, reach, rested, accepted } = importSteps(() => stack);

const histories = isLong ? 1_000 : 2;
const steps = isLong ? 12 : 5;
/** Histories at a time: each of them waits for the workers most of the time. */
const atOnce = 4;

const names = ['Prices', 'New', 'Old'];
const fields = ['title', 'price'] as const;
/** Either of the first two rows of a sheet can be its header. */
const headers = [
  ['SKU', 'Title', 'Price'],
  ['Item No.', 'Product Title', 'Price EUR'],
];
const rowsPerSheet = 6;

it(`edits and ids stay those of their sheet's row in ${histories} histories`, {
  timeout: histories * 60_000,
}, async () => {
  const first = createRandom(seedOfRun());
  console.log(`FAULT_SEED=${first.seed}`);
  const left = Array.from({ length: histories }, (_, n) => n);
  const work = async () => {
    for (let n = left.shift(); n !== undefined; n = left.shift())
      await new History(createRandom(first.seed + n), n).run();
  };
  await Promise.all(Array.from({ length: atOnce }, work));
});

/** Random acts on the imports of a workbook, compared with the model after each. */
class History {
  private readonly random: Random;
  private readonly label: string;
  private readonly model = new SheetsModel();
  private readonly ids = new Map<number, string>();
  private readonly undos = new Map<string, string>();
  private file = new Uint8Array(0);

  constructor(random: Random, n: number) {
    this.random = random;
    this.label = `H${n}`;
  }

  async run(): Promise<void> {
    this.file = await workbookFile({
      sheets: names.map((name, sheet) => ({ name, rows: [...headers, ...this.rowsOf(sheet)] })),
    });
    await this.take();
    const acts = this.weighted();
    for (let step = 0; step < steps; step += 1) {
      const { name, act } = this.random.pick(acts);
      const of = this.model.imports.length === 0 ? await this.take() : this.random.pick(this.model.imports);
      const isRead = await act(of);
      for (const one of this.model.imports)
        await this.compare(one, `${this.label}, seed ${this.random.seed}, step ${step}: ${name}`);
      if (isRead)
        expect((await read(of.id)).edits_without_row, name).toBe(this.model.withoutRow(of, rowsPerSheet));
    }
  }

  private rowsOf(sheet: number) {
    return Array.from({ length: rowsPerSheet - 2 }, (_, at) => [
      `${this.label}-${sheet}-${at}`,
      this.inFile(sheet, at + 3, 'title'),
      Number(this.inFile(sheet, at + 3, 'price')),
    ]);
  }

  private inFile(sheet: number, row: number, field: (typeof fields)[number]): string {
    if (row <= 2) return headers[row - 1]?.[field === 'title' ? 1 : 2] ?? '';
    return field === 'title' ? `Vase ${this.label} ${sheet} ${row}` : String(10 * (sheet + 1) + row);
  }

  private weighted() {
    const act = (weight: number, name: string, run: (of: ModelImport) => Promise<boolean>) =>
      Array.from({ length: weight }, () => ({ name, act: run }));
    return [
      ...act(6, 'edit', (of) => this.edit(of)),
      ...act(3, 'undo or redo', (of) => this.undo(of)),
      ...act(4, 'choose a sheet', (of) => this.choose(of)),
      ...act(2, 'choose a header', (of) => this.chooseHeader(of)),
      ...act(1, 'read again', (of) => this.readAgain(of, {})),
      ...act(1, 'take the file again', () => this.take().then(() => false)),
      ...act(1, 'delete', (of) => this.delete(of)),
    ];
  }

  private async take(): Promise<ModelImport> {
    const sheet = Math.floor(this.random.between(0, names.length));
    const id = await upload(this.file, { supplier: '', dialect: JSON.stringify({ table: names[sheet] }) });
    await quiet(id);
    return this.model.add({ id, sheet, headerRow: 1 });
  }

  private async edit(of: ModelImport): Promise<boolean> {
    const row = Math.floor(this.random.between(of.headerRow + 1, rowsPerSheet + 1));
    const field = this.random.pick(fields);
    const value =
      field === 'price'
        ? this.random.pick(['5.00', '6.50', '7'])
        : `Bowl ${this.random.pick(['A', 'B', 'C'])}`;
    const edited = await accepted((trx) =>
      editRows(trx, of.id, { kind: 'single' }, [{ row: row - of.headerRow, values: { [field]: value } }]),
    );
    of.commands.push({ id: edited.command, cell: `${of.sheet}:${row} ${field}`, value, isUndone: false });
    return false;
  }

  private async undo(of: ModelImport): Promise<boolean> {
    const undoable = this.model.undoable(of);
    if (undoable.length === 0) return false;
    const command = this.random.pick(undoable);
    const undone = await accepted((trx) =>
      undoCommand(trx, of.id, command.isUndone ? (this.undos.get(command.id) ?? '') : command.id),
    );
    if (!command.isUndone) this.undos.set(command.id, undone.command);
    command.isUndone = !command.isUndone;
    return false;
  }

  private choose(of: ModelImport): Promise<boolean> {
    const sheet = Math.floor(this.random.between(0, names.length));
    if (sheet !== of.sheet) of.headerRow = 1;
    of.sheet = sheet;
    return this.readAgain(of, { table: names[of.sheet] });
  }

  private chooseHeader(of: ModelImport): Promise<boolean> {
    of.headerRow = 3 - of.headerRow;
    return this.readAgain(of, { headerRecord: of.headerRow - 1 });
  }

  private async readAgain({ id }: ModelImport, dialect: object): Promise<boolean> {
    const { parse_run: before } = await read(id);
    if (Object.keys(dialect).length === 0) await accepted((trx) => beginReread(trx, id, {}));
    // On a busy machine Postgres may not answer in time: somebody who reads that presses again.
    else
      await until('it begins', async () => {
        if ((await read(id)).parse_run > before) return true;
        const { status, body } = await stack.api.call('POST', `/api/queue/${id}/dialect`, { body: dialect });
        expect([200, 503], JSON.stringify(body)).toContain(status);
        return status === 200;
      });
    await until('the file is read again', async () => (await read(id)).rows_run > before, waitMsMax);
    await quiet(id);
    return true;
  }

  private async delete(of: ModelImport): Promise<boolean> {
    await accepted((trx) => deleteImport(trx, of.id));
    const isDeleted = async () => {
      const { rowCount } = await stack.database.pool.query('select from imports where id = $1', [of.id]);
      return rowCount === 0;
    };
    await until('the import is deleted', isDeleted, waitMsMax);
    this.model.remove(of);
    return false;
  }

  private async compare(of: ModelImport, step: string): Promise<void> {
    const record = await read(of.id);
    const shown = await readRowPage(stack.database.db, currentRows(record), { after: 0, limit: 100 });
    const edits = this.model.edits(of);
    const expected = Array.from(
      { length: rowsPerSheet - of.headerRow },
      (_, at) => at + of.headerRow + 1,
    ).map((row) => {
      const cell = (field: (typeof fields)[number]) =>
        edits.get(`${of.sheet}:${row} ${field}` as SheetCell) ?? this.inFile(of.sheet, row, field);
      return [row, sheetPlace(of.sheet, row), cell('title'), cell('price')];
    });
    expect(
      shown.map(({ line, byte_from, values }) => [line, byte_from, values.title, values.price]),
      step,
    ).toEqual(expected);
    for (const row of shown) {
      const id = deriveOurId(record, row);
      expect(id, step).toBe(this.ids.get(row.byte_from) ?? id);
      this.ids.set(row.byte_from, id);
    }
    expect(new Set(this.ids.values()).size, step).toBe(this.ids.size);
  }
}

/** Waits until the tasks of an import have ended, and it can be reviewed. */
async function quiet(id: string): Promise<void> {
  await rested(id);
  await reach(id, 'queued', 'processed');
}
