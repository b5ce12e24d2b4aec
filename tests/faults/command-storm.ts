import { findImport } from '@draftshelf/core/imports/imports';
import { readRowPage } from '@draftshelf/core/review/effective-rows';
import { currentRows } from '@draftshelf/core/work/runs';
import type { Operation } from '@draftshelf/domain/review/operations/operation';
import type { ApiClient } from '../support/api-client.ts';
import { commandEnded, rowDifferences } from '../support/command-steps.ts';
import { productCsv, until } from '../support/fixture.ts';
import { importSteps } from '../support/import-steps.ts';
import { importDifferences } from '../support/import-truth.ts';
import type { Stack } from '../support/stack.ts';
import type { Random } from './fault-random.ts';

/** Processes, and a client of their api. */
type StormStack = Stack & { api: Pick<ApiClient, 'call' | 'upload'> };

/** Prices, titles that a search finds, and SKUs of which many are the same afterwards. */
const operations: Operation[] = [
  { kind: 'calculate', field: 'price', by: 'percent', amount: '10' },
  { kind: 'prefix', field: 'title', text: 'New ' },
  { kind: 'cut', field: 'sku', chars: 4 },
];

/**
 * Applies a command, undoes it and applies it again, and kills the parse worker each time when the task has done a
 * random share of its work. Returns what is wrong after each of these: rows that are changed by half, and differences
 * from a recount, with `recountsAtKills` also while the worker is dead.
 */
export async function commandStorm(
  stack: StormStack,
  random: Random,
  sizes: { rows: number; kills: number; recountsAtKills?: boolean },
): Promise<string[]> {
  const { rows } = sizes;
  const { processed } = importSteps(() => stack);
  const id = await processed(productCsv(rows).replace('Vase 1,', `Vase of storm ${random.seed},`));
  const call = async (path: string, body?: object): Promise<string> => {
    const { status, body: reply } = await stack.api.call(
      'POST',
      `/api/queue/${id}/edits${path}`,
      body && { body },
    );
    if (status !== 200) throw new Error(JSON.stringify(reply));
    return (reply as { command: string }).command;
  };
  const wrong: string[] = [];
  const command = await call('', { target: {}, operations });
  wrong.push(...(await endWithKills(stack, random, { id, ...sizes })));
  wrong.push(...(await differences(stack, id, 'applied', rows)));
  const undone = await call(`/${command}/undo`);
  wrong.push(...(await endWithKills(stack, random, { id, ...sizes })));
  wrong.push(...(await differences(stack, id, 'undone', 0)));
  await call(`/${undone}/undo`);
  wrong.push(...(await endWithKills(stack, random, { id, ...sizes })));
  wrong.push(...(await differences(stack, id, 'redone', rows)));
  return wrong;
}

/** Time until a share of the work is done, on a busy machine. */
const shareMsMax = 300_000;

/**
 * Kills the worker when the task has done random shares of its work, and starts it each time. Returns what differs from
 * a recount while it is dead: its last part must be there as a whole, or not at all.
 */
async function endWithKills(
  stack: StormStack,
  random: Random,
  { id, kills, recountsAtKills = false }: { id: string; kills: number; recountsAtKills?: boolean },
): Promise<string[]> {
  const wrong: string[] = [];
  const shares = Array.from({ length: kills }, () => random.between(0, 1.2)).sort();
  for (const share of shares) {
    await until(
      'the task has come so far',
      async () => {
        const { rows } = await stack.database.pool.query<{ is_there: boolean; state: string }>(
          `select state, done >= total * $2::float8 or state = 'done' as is_there from chunks
           where import_id = $1 and command is not null order by id desc limit 1`,
          // Shares above 1 are its last steps, which compare duplicates and end it.
          [id, Math.min(1, share)],
        );
        if (rows[0]?.state === 'dead') throw new Error('The task is dead');
        return rows[0]?.is_there ?? false;
      },
      shareMsMax,
    );
    const worker = stack.processes.get('parse-worker');
    worker?.kill('SIGKILL');
    await until('the worker is dead', () => worker?.isRunning() !== true);
    const halfway = recountsAtKills ? await importDifferences(stack.database, id) : [];
    wrong.push(...halfway.map((one) => `killed at ${share.toFixed(2)}: ${one}`));
    await stack.start('parse-worker');
  }
  await commandEnded(stack, id);
  return wrong;
}

async function differences(stack: StormStack, id: string, when: string, changed: number): Promise<string[]> {
  const record = await findImport(stack.database.db, id);
  if (!record) return ['The import is gone'];
  const rows = await readRowPage(stack.database.db, currentRows(record), { after: 0, limit: 10_000 });
  const isNew = rows.filter(({ values }) => values.title?.startsWith('New ')).length;
  const half = isNew === changed ? [] : [`${isNew} rows are changed instead of ${changed}`];
  return [...half, ...(await rowDifferences(stack, id))].map((one) => `${when}: ${one}`);
}
