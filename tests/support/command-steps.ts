import { isDeepStrictEqual } from 'node:util';
import { findImport } from '@draftshelf/core/imports/imports';
import { runCommandPart } from '@draftshelf/core/review/commands/command-task';
import { readDuplicates } from '@draftshelf/core/review/duplicates';
import { readRowPage } from '@draftshelf/core/review/effective-rows';
import { claimChunk, releaseChunk, type StartedChunk } from '@draftshelf/core/work/claim-chunk';
import { currentRows } from '@draftshelf/core/work/runs';
import { type Fixture, until } from './fixture.ts';
import { importDifferences } from './import-truth.ts';

type Databases = Pick<Fixture, 'database'>;

const openTask = async ({ database }: Databases, id: string) => {
  const { rows } = await database.pool.query<{ id: number; publication: number }>(
    `select id, publication from chunks
     where import_id = $1 and command is not null and state in ('pending', 'published')`,
    [id],
  );
  return rows[0];
};

/** Waits until no task that applies or undoes a command of an import is open. */
export const commandEnded = (fixture: Databases, id: string): Promise<void> =>
  until('the command has ended', async () => (await openTask(fixture, id)) === undefined);

/** Claims the open task of a command. No worker takes tasks. */
export async function claimCommandTask(fixture: Databases, id: string): Promise<StartedChunk> {
  const task = await openTask(fixture, id);
  const claimed = task && (await claimChunk(fixture.database.db, task));
  if (!claimed) throw new Error('There is no task to claim');
  return claimed;
}

/** Does some parts of the open task of a command, as a worker does that then stops. No worker takes tasks. */
export async function doParts(fixture: Databases, id: string, parts: number): Promise<void> {
  const { db } = fixture.database;
  const claimed = await claimCommandTask(fixture, id);
  for (let part = 0; part < parts; part += 1) await runCommandPart(db, claimed);
  await releaseChunk(db, claimed);
}

/** Lets the open task of a command die, as after too many attempts. */
export async function killTask({ database }: Databases, id: string): Promise<void> {
  await database.pool.query(
    `update chunks set state = 'dead', error = 'It failed.', publication = publication + 1
     where import_id = $1 and command is not null and state in ('pending', 'published')`,
    [id],
  );
}

/** What is wrong with an import after commands: differences of what is stored from its rows, read one by one. */
export async function rowDifferences({ database }: Databases, id: string): Promise<string[]> {
  const record = await findImport(database.db, id);
  if (!record) return ['The import is gone'];
  const rows = await readRowPage(database.db, currentRows(record), { after: 0, limit: 10_000 });
  const firsts = new Map<string, (typeof rows)[number]>();
  const byProduct = rows.toSorted((a, b) => a.product - b.product || a.row - b.row);
  const duplicates = byProduct.flatMap((row) =>
    [`sku ${row.sku}`, `upc ${row.gtin}`].flatMap((key) => {
      if (key.endsWith(' null')) return [];
      const first = firsts.get(key) ?? row;
      firsts.set(key, first);
      return first.product === row.product ? [] : [`${row.row} ${key.slice(0, 3)} ${first.row}`];
    }),
  );
  const numbers = rows.map(({ row }) => row);
  const read = await readDuplicates(database.db, currentRows(record), numbers);
  const found = read.map(({ row, field, first_row }) => `${row} ${field} ${first_row}`);
  const differ = isDeepStrictEqual(found.toSorted(), duplicates.toSorted()) ? [] : ['duplicates'];
  return [...differ, ...(await importDifferences(database, id))];
}
