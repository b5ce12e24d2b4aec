import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editRow } from '../support/edit-row.ts';
import { until } from '../support/fixture.ts';
import { queueBackends } from '../support/queue-backend.ts';
import { type Stack, startStack } from '../support/stack.ts';
import { openBrowser, press } from './buttons.ts';
import { leftOver, rowDifferences } from './differences.ts';
import { beginImport, reachRest, readImport } from './fault-stack.ts';
import { kill } from './inject.ts';
import { type Truth, withEdits } from './true-file.ts';

/** A re-read has chunks of 4 MB: this many rows of a kilobyte make three. */
const rows = 9_000;
const edits = { 13: { price: '5.00' }, 14: { title: 'Edited "vase", no. 14' } };

let stack: Stack;
/** The re-read import, whose delimiter is the comma, and its expected result. */
let id: string;
let truth: Truth;

/** Earlier steps may be slow on a busy machine. */
const stepMsMax = 120_000;

type Step = 'split' | 'work' | 'finalize';

async function begin(delimiter: ',' | ';'): Promise<number> {
  const browser = await openBrowser(stack.apiUrl);
  const answer = await browser.call('POST', `/api/queue/${id}/dialect`, { body: { delimiter } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return (await readImport(stack, id)).parse_run;
}

/** Waits until a worker is at a step of a run; false if the step is already over. */
async function isAt(step: Step, run: number): Promise<boolean> {
  let held = false;
  await until(
    `${step} is being done`,
    async () => {
      const chunks = await stack.database.db
        .selectFrom('chunks')
        .select(['kind', 'state', 'claim_pid'])
        .where('import_id', '=', id)
        .where('stage', '=', 'parse')
        .where('run', '=', run)
        .execute();
      const ofStep = chunks.filter((chunk) => chunk.kind === step);
      const begun = step !== 'work' || ofStep.some(({ state }) => state === 'done');
      held = begun && ofStep.some(({ state, claim_pid }) => state === 'published' && claim_pid !== null);
      return held || (ofStep.length > 0 && ofStep.every(({ state }) => state === 'done'));
    },
    stepMsMax,
  );
  return held;
}

/** Re-reads the file with the wrong and the right delimiter until a fault could be injected at this step. */
async function injectDuringReread(step: Step, inject: () => Promise<void>): Promise<void> {
  for (let tried = 0; tried < 5; tried += 1) {
    const wrong = await begin(';');
    expect(await reachRest(stack, id)).toMatchObject({ rows_run: wrong });
    expect(await rowDifferences(stack, id, truth)).not.toEqual([]);
    const run = await begin(',');
    if (await isAt(step, run)) {
      await inject();
      const injectedAt = performance.now();
      expect(await reachRest(stack, id)).toMatchObject({ rows_run: run, parse_run: run });
      console.log(`fault at ${step}; at rest ${Math.round(performance.now() - injectedAt)} ms later`);
      return;
    }
    await reachRest(stack, id);
  }
  throw new Error(`No fault could be injected at ${step}`);
}

/** Waits until the tasks have ended that remove the rows of replaced runs. */
async function onlyShownRows(): Promise<void> {
  await until(
    'no rows of other runs are left',
    async () => {
      const { rows_run } = await readImport(stack, id);
      const { rows: left } = await stack.database.pool.query(
        `select 1 from rows where import_id = $1 and run <> $2
         union all select 1 from found_values where import_id = $1 and run <> $2
         union all select 1 from chunks
         where import_id = $1 and kind = 'task' and state in ('pending', 'published') limit 1`,
        [id, rows_run],
      );
      return left.length === 0;
    },
    60_000,
  );
}

async function differences(): Promise<string[]> {
  await onlyShownRows();
  const { edits_without_row, error_message } = await readImport(stack, id);
  return [
    ...(await rowDifferences(stack, id, truth)),
    ...(edits_without_row === 0 ? [] : [`${edits_without_row} edits without a row`]),
    ...(error_message === null ? [] : [error_message]),
    ...(await leftOver(stack)),
  ];
}

describe.each(queueBackends())('a file that is re-read, jobs in %s', (backend) => {
  beforeAll(async () => {
    stack = await startStack({
      names: ['parse-worker', 'enrich-worker', 'api'],
      backend,
      env: { CONCURRENCY: '1' },
    });
    const work = await beginImport(stack, rows, rows, true);
    id = work.id;
    truth = withEdits(work.truth, edits);
    await reachRest(stack, id);
    for (const [row, values] of Object.entries(edits)) {
      await stack.database.db.transaction().execute((trx) => editRow(trx, id, Number(row), values));
    }
  });
  afterAll(() => stack?.close());

  it('has the rows of its file and its edits', async () => {
    expect(await differences()).toEqual([]);
  });

  it.each(['split', 'finalize'] as const)(
    'is right although the worker was killed at its %s',
    async (step) => {
      await injectDuringReread(step, () => kill(stack, 'parse-worker'));
      expect(await differences()).toEqual([]);
    },
  );

  it('is right although worker, api and queue were lost in the middle of its rows', async () => {
    await injectDuringReread('work', async () => {
      await Promise.all([kill(stack, 'parse-worker'), kill(stack, 'api'), stack.emptyQueue()]);
    });
    expect(await differences()).toEqual([]);
  });

  it('is restored when it is cancelled while its worker is killed', async () => {
    const before = await readImport(stack, id);
    const browser = await openBrowser(stack.apiUrl);
    let injected = false;
    for (let tried = 0; tried < 5 && !injected; tried += 1) {
      const run = await begin(';');
      injected = await isAt('work', run);
      if (!injected) {
        await reachRest(stack, id);
        await begin(',');
        await reachRest(stack, id);
        continue;
      }
      const [cancelled] = await Promise.all([press(browser, id, 'cancel'), kill(stack, 'parse-worker')]);
      expect(cancelled).toBe(200);
    }
    expect(injected).toBe(true);
    const after = await readImport(stack, id);
    expect(after).toMatchObject({ status: before.status, completed_at: expect.any(Date) });
    expect(after.rows_run).toBe(after.parse_run);
    await until(
      'nothing of it is left to be done',
      async () => {
        const undone = await stack.database.db
          .selectFrom('chunks')
          .select('id')
          .where('import_id', '=', id)
          .where('state', 'in', ['pending', 'published'])
          .execute();
        return undone.length === 0;
      },
      60_000,
    );
    expect(await differences()).toEqual([]);
  });
});
