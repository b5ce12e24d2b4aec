import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type BenchStack, startBenchStack } from './bench-stack.ts';
import { describeMachine, median, percentile } from './figures.ts';
import { type Poll, pollEvery, pollFlatOut } from './poll-load.ts';
import { processorSeconds } from './processor.ts';

// Polls of the queue list, answered with 200 and 304, alternating with a bare node:http reply; then many pollers.
const { values: given } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '3' } },
});
const rounds = Number(given.rounds);
const roundMs = Number(given.seconds) * 1000;

const imports = 20;
const connections = 32;
const pollers = 1000;
const pollEveryMs = 1000;
const pollForMs = 15_000;

const bare = fork(fileURLToPath(new URL('bare-reply-main.ts', import.meta.url)));
const [barePort] = (await once(bare, 'message')) as [number];
const stack = await startBenchStack(['api']);
try {
  for (let i = 1; i <= imports; i += 1) await upload(stack, i);
  const headers = { cookie: stack.cookie };
  const queue = { port: Number(new URL(stack.apiUrl).port), path: '/api/queue' };
  const etag = await etagOf(stack);
  const polls: Record<string, Poll> = {
    bare: { port: barePort, path: '/', headers: {}, status: 200 },
    '304': { ...queue, headers: { ...headers, 'if-none-match': etag }, status: 304 },
    '200': { ...queue, headers, status: 200 },
  };
  console.log(await describeMachine(stack.database));
  console.log(
    `${connections} connections, ${rounds} rounds of ${given.seconds} s in turns; ${imports} imports in the list\n`,
  );

  const perSecond: Record<string, number[]> = { bare: [], '304': [], '200': [] };
  const cpuMicros: Record<string, number[]> = { bare: [], '304': [], '200': [] };
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
      `${name.padEnd(5)} ${String(rate).padStart(7)} polls/s, ${median(ratios).toFixed(2)} × the bare reply; ` +
        `${median(cpuMicros[name] ?? []).toFixed(1)} µs of processor per poll`,
    );
  }

  const poll = polls['304'] as Poll;
  const apiPid = stack.app('api').pid;
  const cpuBefore = processorSeconds(apiPid);
  const took = await pollEvery(poll, { pollers, everyMs: pollEveryMs, forMs: pollForMs });
  const share = ((processorSeconds(apiPid) - cpuBefore) / (pollForMs / 1000)) * 100;
  console.log(
    `\n${pollers} pollers, each once every ${pollEveryMs} ms for ${pollForMs / 1000} s, 304: ${took.length} polls, ` +
      `p50 ${percentile(took, 50).toFixed(1)} ms, p99 ${percentile(took, 99).toFixed(1)} ms, ` +
      `slowest ${percentile(took, 100).toFixed(1)} ms; the api used ${share.toFixed(0)} % of a core`,
  );
} finally {
  bare.disconnect();
  await stack.close();
}

async function upload({ apiUrl, cookie }: BenchStack, number: number): Promise<void> {
  const form = new FormData();
  form.append(
    'csv',
    new File([`Title,Price\nVase ${number},10\n`], `delivery ${number}.csv`, { type: 'text/csv' }),
  );
  const answer = await fetch(`${apiUrl}/api/upload`, { method: 'POST', body: form, headers: { cookie } });
  if (!answer.ok) throw new Error(`The upload answered ${answer.status}: ${await answer.text()}`);
}

async function etagOf({ apiUrl, cookie }: BenchStack): Promise<string> {
  const answer = await fetch(`${apiUrl}/api/queue`, { headers: { cookie } });
  await answer.arrayBuffer();
  const etag = answer.headers.get('etag');
  if (!etag) throw new Error('The queue list has no ETag');
  return etag;
}
