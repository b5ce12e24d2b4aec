import { setTimeout as pause } from 'node:timers/promises';
import type { EditPreview } from '@draftshelf/contract/review/commands';
import type { RowPage } from '@draftshelf/contract/review/rows';
import type { Operation } from '@draftshelf/domain/review/operations/operation';
import type { BenchStack } from './bench-stack.ts';
import { callApi } from './call-api.ts';
import { median, percentile } from './figures.ts';

const pages = 20;
const lookEveryMs = 50;

type Begun = { command: string; inBackground: boolean };

/** Sorts a large import by a text, by numbers and by two fields, and prints how long pages take. */
export async function measureSorting(stack: BenchStack, id: string, rows: number): Promise<void> {
  const call = callApi(stack);
  for (const sort of ['title', 'price', '-quantity', 'vendor,-price']) {
    const filters = { none: '', 'needs you': '&class=needs-you', valid: '&class=valid' };
    for (const [name, filter] of Object.entries(filters)) {
      const tookMs: number[] = [];
      for (let nth = 0; nth < pages; nth += 1) {
        const after = Math.floor((nth * rows) / pages);
        const path = `/api/queue/${id}/rows?sort=${sort}&after=${after}${filter}`;
        const [ms] = await timed(() => call<RowPage>('GET', path));
        tookMs.push(ms);
      }
      console.log(
        `pages of ${rows} rows by ${sort}, filter ${name}: median ${median(tookMs).toFixed(0)} ms, p95 ${percentile(tookMs, 95).toFixed(0)} ms`,
      );
    }
  }
}

/** Pastes 500 × 3 cells and fills 10,000 rows of an import, undoes both, and prints how long that takes. */
export async function measureBlocks(stack: BenchStack, id: string): Promise<void> {
  const call = callApi(stack);
  const numbers = Array.from({ length: 500 }, (_, at) => 1_001 + at);
  const operations = (['price', 'vendor', 'quantity'] as const).map(
    (field): Operation => ({ kind: 'paste', field, cells: numbers.map((row) => [row, `${row}`]) }),
  );
  await measureChange(stack, id, 'paste of 500 × 3', { target: { rows: numbers }, operations });
  const filled: Operation[] = [{ kind: 'set', field: 'type', value: 'Filled' }];
  const { facets } = await call<RowPage>('GET', `/api/queue/${id}/rows?limit=1`);
  // A filter is filled as a whole: the issue that has about 10,000 rows.
  const issues = Object.entries(facets.issues).toSorted(
    ([, a], [, b]) => Math.abs(a - 10_000) - Math.abs(b - 10_000),
  );
  const [issue, rows] = issues[0] ?? ['any', 0];
  await measureChange(stack, id, `fill of the ${rows} rows with the issue ${issue}`, {
    target: { issue },
    operations: filled,
  });
}

async function measureChange(
  stack: BenchStack,
  id: string,
  name: string,
  edits: { target: object; operations: readonly Operation[] },
): Promise<void> {
  const call = callApi(stack);
  const ended = async ({ command, inBackground }: Begun): Promise<string> => {
    while (inBackground && !(await hasEnded(stack, command))) await pause(lookEveryMs);
    return command;
  };
  for (let round = 0; round < 3; round += 1) {
    const [previewMs, { sinceEdit }] = await timed(() =>
      call<EditPreview>('POST', `/api/queue/${id}/edits/preview`, edits),
    );
    const [applyMs, command] = await timed(async () =>
      ended(await call<Begun>('POST', `/api/queue/${id}/edits`, { ...edits, sinceEdit })),
    );
    const [undoMs] = await timed(async () =>
      ended(await call<Begun>('POST', `/api/queue/${id}/edits/${command}/undo`)),
    );
    const figures = [`preview ${previewMs.toFixed(0)} ms`, `applied ${applyMs.toFixed(0)} ms`];
    console.log(`${name}: ${[...figures, `undone ${undoMs.toFixed(0)} ms`].join(', ')}`);
  }
}

async function hasEnded({ database }: BenchStack, command: string): Promise<boolean> {
  const { rows } = await database.pool.query(
    'select 1 from edit_commands where id = $1 and ended_at is not null',
    [command],
  );
  return rows.length > 0;
}

async function timed<T>(work: () => Promise<T>): Promise<[number, T]> {
  const begun = performance.now();
  const done = await work();
  return [performance.now() - begun, done];
}
