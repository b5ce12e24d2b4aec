import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type BenchStack, signInBrowsers, startBenchStack } from './bench-stack.ts';
import { describeMachine, median, percentile } from './figures.ts';
import { givenNumbers } from './given-numbers.ts';
import { type Poll, pollEvery, pollFlatOut } from './poll-load.ts';
import { processorSeconds } from './processor.ts';

// Polls of the queue list and of the dashboard's current imports, answered with 200 and 304, alternating with a bare
// node:http reply; then many pollers.
const { rounds, seconds } = givenNumbers({ rounds: 5, seconds: 3 });
const roundMs = seconds * 1000;

/** As many as a busy day has. Nothing works on them: only the api runs. */
const running = 50;
const ended = 200;
const connections = 32;
const pollers = 1000;
const pollEveryMs = 1000;
const pollForMs = 15_000;

const bare = fork(fileURLToPath(new URL('bare-reply-main.ts', import.meta.url)));
const [barePort] = (await once(bare, 'message')) as [number];
const stack = await startBenchStack(['api']);
try {
  await fillQueue(stack);
  const headers = { cookie: stack.cookie };
  const queue = { port: Number(new URL(stack.apiUrl).port), path: '/api/queue' };
  const current = { ...queue, path: '/api/dashboard/current' };
  const list = await firstReply(stack, queue.path);
  const shown = await firstReply(stack, current.path);
  const compressed = { ...headers, 'accept-encoding': 'br' };
  const polls: Record<string, Poll> = {
    bare: { port: barePort, path: '/', headers: {}, status: 200 },
    '304': { ...queue, headers: { ...headers, 'if-none-match': list.etag }, status: 304 },
    '200': { ...queue, headers: compressed, status: 200 },
    '200, not compressed': { ...queue, headers, status: 200 },
    'current, 304': { ...current, headers: { ...headers, 'if-none-match': shown.etag }, status: 304 },
    'current, 200': { ...current, headers: compressed, status: 200 },
  };
  console.log(await describeMachine(stack.database));
  console.log(
    `${connections} connections, ${rounds} rounds of ${seconds} s in turns; ${running} running and ${ended} ended imports\n` +
      `The list has ${list.bytes} bytes on the wire (brotli), the current imports ${shown.bytes}.\n`,
  );

  const perSecond = Object.fromEntries(Object.keys(polls).map((name): [string, number[]] => [name, []]));
  const cpuMicros = Object.fromEntries(Object.keys(polls).map((name): [string, number[]] => [name, []]));
  for (const poll of Object.values(polls)) await pollFlatOut(poll, connections, roundMs / 3);
  for (let round = 1; round <= rounds; round += 1) {
    for (const [name, poll] of Object.entries(polls)) {
      const pid = name === 'bare' ? (bare.pid ?? 0) : stack.app('api').pid;
      const before = processorSeconds(pid);
      const rate = await pollFlatOut(poll, connections, roundMs);
      perSecond[name]?.push(rate);
      cpuMicros[name]?.push(((processorSeconds(pid) - before) * 1e6) / (rate * (roundMs / 1000)));
    }
  }
  for (const name of Object.keys(polls)) {
    const ratios = (perSecond[name] ?? []).map((value, round) => value / (perSecond.bare?.[round] ?? 1));
    const rate = Math.round(median(perSecond[name] ?? []));
    console.log(
      `${name.padEnd(20)} ${String(rate).padStart(7)} polls/s, ${median(ratios).toFixed(2)} × the bare reply; ` +
        `${median(cpuMicros[name] ?? []).toFixed(1)} µs of processor per poll`,
    );
  }

  // A browser for each: what sessions cost is part of it.
  const cookies = await signInBrowsers(stack, pollers);
  const poll = polls['304'] as Poll;
  const apiPid = stack.app('api').pid;
  const cpuBefore = processorSeconds(apiPid);
  const took = await pollEvery(
    cookies.map((cookie) => ({ ...poll, headers: { ...poll.headers, cookie } })),
    { everyMs: pollEveryMs, forMs: pollForMs },
  );
  const share = ((processorSeconds(apiPid) - cpuBefore) / (pollForMs / 1000)) * 100;
  console.log(
    `\n${pollers} pollers with a session each, each once every ${pollEveryMs} ms for ${pollForMs / 1000} s, 304: ${took.length} polls, ` +
      `p50 ${percentile(took, 50).toFixed(1)} ms, p99 ${percentile(took, 99).toFixed(1)} ms, ` +
      `slowest ${percentile(took, 100).toFixed(1)} ms; the api used ${share.toFixed(0)} % of a core`,
  );
} finally {
  bare.disconnect();
  await stack.close();
}

/** Uploads a file of many columns, and copies its import. */
async function fillQueue({ apiUrl, cookie, database }: BenchStack): Promise<void> {
  const form = new FormData();
  const headers =
    'Title,Price,SKU,UPC,Description,Vendor,Quantity,Type,Tags,Image,Compare Price,Cost,Weight,Color';
  form.append('csv', new File([`${headers}\nVase,10\n`], 'delivery.csv', { type: 'text/csv' }));
  const answer = await fetch(`${apiUrl}/api/upload`, { method: 'POST', body: form, headers: { cookie } });
  if (!answer.ok) throw new Error(`The upload answered ${answer.status}: ${await answer.text()}`);
  const { id } = (await answer.json()) as { id: string };
  await database.pool.query(
    `insert into imports select (jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(),
       'version', nextval('import_version'), 'object_key', 'imports/' || n,
       'filename', md5(n::text) || ' spring delivery.csv', 'created', n * 7, 'skipped', n,
       'status', case when n <= ${running} then 'uploading' else 'completed' end,
       'created_at', i.created_at - n * interval '7 minutes'
     ))).* from imports i, generate_series(1, ${running + ended}) n`,
  );
  await database.pool.query(
    `insert into runs select (jsonb_populate_record(r, jsonb_build_object('import_id', i.id,
       'completed_at', i.created_at + interval '2 minutes'))).*
     from runs r, imports i where i.id <> r.import_id`,
  );
  await database.pool.query('delete from imports where id = $1', [id]);
}

/** Waits until the api has seen the imports; returns the version of a reply and its bytes on the wire. */
async function firstReply(
  { apiUrl, cookie }: BenchStack,
  path: string,
): Promise<{ etag: string; bytes: number }> {
  for (;;) {
    const answer = await fetch(apiUrl + path, { headers: { cookie, 'accept-encoding': 'br' } });
    const jobs = (await answer.json()) as unknown[];
    const etag = answer.headers.get('etag');
    if (!etag) throw new Error(`${path} has no ETag`);
    if (jobs.length >= running) return { etag, bytes: Number(answer.headers.get('content-length')) };
  }
}
