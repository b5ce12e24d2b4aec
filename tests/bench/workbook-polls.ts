import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { workbookFile } from '@draftshelf/workbooks/testing/workbook-file';
import { type BenchStack, startBenchStack } from './bench-stack.ts';
import { describeMachine, median, percentile } from './figures.ts';
import { pollEvery } from './poll-load.ts';
import { uploadFile } from './upload-file.ts';

const rounds = 3;
const pollers = 10;
const everyMs = 100;
const forMs = 10_000;
const columns = 20;

/** Measures polls of an import while nothing runs, while the api converts uploads, and while a worker does. */
export async function measurePolls(rows: number): Promise<void> {
  const stack = await startBenchStack(['api', 'parse-worker', 'enrich-worker']);
  try {
    console.log(await describeMachine(stack.database));
    const file = path.join(stack.dir, 'list.xlsx');
    await writeFile(file, await workbookOf(rows));
    // Only three rows of a test are stored, so hardly anything but the conversion runs.
    const upload = (table: string) =>
      uploadFile(stack, file, { testMode: 'true', dialect: JSON.stringify({ table }) });
    const polled = await upload('Small');
    const poll = { port: Number(new URL(stack.apiUrl).port), path: `/api/queue/${polled}`, status: 200 };
    const headers = { cookie: stack.cookie };
    const states = {
      idle: null,
      'the api converts': { prepare: async () => '', convert: () => upload('Large') },
      'a worker converts': { prepare: () => upload('Small'), convert: (id: string) => reread(stack, id) },
    };
    const took = new Map(Object.keys(states).map((name): [string, number[]] => [name, []]));
    const seconds = new Map(Object.keys(states).map((name): [string, number[]] => [name, []]));
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, state] of Object.entries(states)) {
        let isOver = false;
        const converting = async () => {
          while (state && !isOver) {
            const id = await state.prepare();
            const begun = performance.now();
            await state.convert(id);
            seconds.get(name)?.push((performance.now() - begun) / 1000);
          }
        };
        const conversions = converting();
        const polls = Array.from({ length: pollers }, () => ({ ...poll, headers }));
        took.get(name)?.push(...(await pollEvery(polls, { everyMs, forMs })));
        isOver = true;
        await conversions;
      }
    }
    for (const [name, all] of took) {
      const one = seconds.get(name) ?? [];
      const what = one.length === 0 ? '' : `; ${one.length} conversions of ${median(one).toFixed(1)} s`;
      const [p50, p99, slowest] = [50, 99, 100].map((percent) => percentile(all, percent).toFixed(1));
      console.log(
        `${name.padEnd(18)} ${all.length} polls: p50 ${p50} ms, p99 ${p99} ms, slowest ${slowest} ms${what}`,
      );
    }
  } finally {
    await stack.close();
  }
}

function workbookOf(rows: number): Promise<Uint8Array> {
  const headers = [
    'SKU',
    'Title',
    'Price',
    ...Array.from({ length: columns - 3 }, (_, n) => `Detail ${n + 1}`),
  ];
  const row = (n: number) => [
    ...[`V-${n}`, `Vase ${n} of glass`, 10 + (n % 90) + 0.5],
    ...Array.from({ length: columns - 3 }, (_, at) =>
      at % 2 === 0 ? (n * at) % 997 : `Value ${(n * at) % 5_000}`,
    ),
  ];
  const sheet = (name: string, count: number) => ({
    name,
    rows: [headers, ...Array.from({ length: count }, (_, n) => row(n))],
  });
  return workbookFile({ sheets: [sheet('Small', 3), sheet('Large', rows)] });
}

/** Lets a worker convert the large sheet of an import, and waits until its rows are there. */
async function reread({ apiUrl, cookie, database }: BenchStack, id: string): Promise<void> {
  const isRead = async (run: number) => {
    const { rowCount } = await database.pool.query(
      `select from imports where id = $1 and rows_run = $2 and status in ('queued', 'processed')`,
      [id, run],
    );
    return rowCount === 1;
  };
  while (!(await isRead(1))) await pause(20);
  const reply = await fetch(`${apiUrl}/api/queue/${id}/dialect`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ table: 'Large' }),
  });
  if (!reply.ok) throw new Error(`The re-read answered ${reply.status}: ${await reply.text()}`);
  while (!(await isRead(2))) await pause(20);
}
