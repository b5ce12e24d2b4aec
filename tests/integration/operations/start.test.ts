import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readProcess } from '@draftshelf/infra/process-table';
import { buildWeb } from '@draftshelf/infra/web-build';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { until } from '../../support/fixture.ts';
import { ownPort } from '../../support/own-port.ts';
import { isLong } from '../../support/queue-backend.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** Beside other tests on two slow cores a start has taken over 150 s. */
const startMsMax = 400_000;
/** Longest wait for processes that end or are started again. */
const endMsMax = 120_000;
vi.setConfig({ testTimeout: 2 * startMsMax, hookTimeout: 2 * startMsMax });

let dataDir: string;
let port: number;
const running: Start[] = [];

/** One `npm start` with its output. */
type Start = { child: ChildProcess; output: () => string; ended: Promise<number | null>; ms: number };

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'draftshelf-start-'));
  port = await ownPort();
  // The first start would build it within its time, of which the build alone takes most on a busy machine.
  await buildWeb(root, () => {});
});

async function stopAll() {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGTERM');
    await ended;
  }
}

/** What npm has started ends a moment after npm. */
afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 }));

/** The environment without the variables of this test run's npm. */
function environment(changes: Record<string, string>): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_ENV$)/i.test(name));
  return { ...Object.fromEntries(kept), PORT: String(port), DATA_DIR: dataDir, ...changes };
}

function npmStart(changes: Record<string, string> = {}): Start {
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: environment(changes),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece) => {
      output += piece;
    });
  }
  const { promise: ended, resolve } = Promise.withResolvers<number | null>();
  child.on('exit', resolve);
  const start = { child, output: () => output, ended, ms: 0 };
  running.push(start);
  return start;
}

async function readyStart(changes: Record<string, string> = {}): Promise<Start> {
  const startedAt = performance.now();
  const start = npmStart(changes);
  const isReady = () => /^ready http:\/\/localhost:\d+$/m.test(start.output());
  const end = start.ended.then((code) => {
    throw new Error(`npm start ended with code ${code}`);
  });
  await Promise.race([until('npm start is ready', isReady, startMsMax), end]).catch((error: Error) => {
    throw new Error(`${error.message}\n${start.output()}`);
  });
  return { ...start, ms: performance.now() - startedAt };
}

/** A process and all its descendants. */
async function tree(top: number): Promise<{ pid: number; command: string; startedAt: string }[]> {
  const entries = (await readdir('/proc')).flatMap((name) => readProcess(Number(name)) ?? []);
  const found = entries.filter((entry) => entry.pid === top);
  for (const above of found) found.push(...entries.filter((entry) => entry.parentPid === above.pid));
  return found;
}

const alive = (processes: { pid: number; startedAt: string; command: string }[]) =>
  processes
    .filter(({ pid, startedAt }) => readProcess(pid)?.startedAt === startedAt)
    .map(({ command }) => command);

/** Signals one of its processes, by its place or the end of its command, and waits until none of them is left. */
async function expectNoneLeft(
  start: Start,
  { signal, which, msMax }: { signal: NodeJS.Signals; which: string | number; msMax: number },
): Promise<void> {
  const processes = await tree(start.child.pid ?? 0);
  expect(processes.length).toBeGreaterThan(10);
  const one =
    typeof which === 'number' ? processes[which] : processes.find(({ command }) => command.endsWith(which));
  process.kill(one?.pid ?? 0, signal);
  await expect.poll(() => alive(processes), { timeout: msMax }).toEqual([]);
  await start.ended;
}

const killOf = (which: string | number) => ({ signal: 'SIGKILL', which, msMax: endMsMax }) as const;

const stored = async (name: string) => (await readFile(path.join(dataDir, name), 'utf8')).trim();

describe('the first start', () => {
  let start: Start;
  beforeAll(async () => {
    start = await readyStart();
  });
  afterAll(stopAll);

  test('becomes ready and says where the key is; the page and the login answer', async () => {
    const output = start.output();
    const key = await stored('access-key');
    expect(output).toContain(`Access key  in ${path.join(dataDir, 'access-key')}`);
    expect(output).not.toContain(key);
    expect(output).toContain(dataDir);
    const [folder, sample] = [path.join(dataDir, 'watched'), path.join(dataDir, 'sample.csv')];
    expect(output).toContain(`Folder      ${folder}   (turn monitoring on`);
    expect(output).toContain(`copy ${sample} into it`);
    expect(await readdir(folder)).toEqual([]);
    expect(await stored('sample.csv')).toMatch(/^Article,/);
    expect(output).toContain('Bull Board');
    expect(output.trimEnd().split('\n').at(-1)).toBe(`ready http://localhost:${port}`);
    const origin = `http://localhost:${port}`;
    expect((await fetch(`${origin}/api/ready`)).status).toBe(200);
    expect(await (await fetch(origin)).text()).toContain('<div id="root"');
    const login = (accessKey: string) =>
      fetch(`${origin}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ accessKey }),
      });
    expect((await login('wrong')).status).toBe(401);
    const session = await login(key);
    expect(session.status).toBe(200);
    // Nothing real is set, so the simulated sources are asked.
    const cookie = session.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    const sources = await fetch(`${origin}/api/sources`, { headers: { cookie } });
    expect(await sources.json()).toMatchObject([
      { name: 'upcitemdb', enabled: true, simulated: true },
      { name: 'open-products-facts', enabled: true, simulated: true },
      { name: 'barcode-lookup', enabled: false, simulated: true, keyMissing: false },
    ]);
  });

  test.runIf(isLong)('restarts a killed api, and reports its end', async () => {
    const api = (await tree(start.child.pid ?? 0)).find(({ command }) =>
      command.endsWith('.cache/apps/api/main.mjs'),
    );
    process.kill(api?.pid ?? 0, 'SIGKILL');
    await expect.poll(start.output, { timeout: endMsMax }).toContain('api runs again');
    expect(start.output()).toContain('api was ended by SIGKILL; it is started again in 0.5 s');
    expect((await fetch(`http://localhost:${port}/api/health`)).status).toBe(200);
  });

  test.runIf(isLong)('refuses a second instance on the same data', async () => {
    const second = npmStart({ PORT: String(await ownPort()) });
    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(/is in use by another instance \(process \d+\)/);
  });

  test.runIf(isLong)('leaves no process behind after kill -9 of npm', () => expectNoneLeft(start, killOf(0)));
});

/** Each of them begins after the kill before it. */
describe.runIf(isLong).each([
  ['kill -9 of the shell or the bootstrap below npm', killOf(1)],
  ['kill -9 of the supervisor', killOf('infra/start-main.ts')],
  ['SIGTERM to npm', { signal: 'SIGTERM', which: 0, msMax: endMsMax }],
] as const)('a later start that ends by %s', (_, end) => {
  afterEach(stopAll);

  test('continues with the same key and store, and leaves no process behind', async () => {
    const [key, storePort] = await Promise.all([stored('access-key'), stored('store-port')]);
    const start = await readyStart();
    expect(await stored('access-key')).toBe(key);
    expect(start.output()).toContain(`http://127.0.0.1:${storePort}`);
    console.log(`later start: ready after ${Math.round(start.ms)} ms`);
    await expectNoneLeft(start, end);
  });
});

describe.runIf(isLong)('a failing start explains', () => {
  afterEach(stopAll);

  test('a taken port', async () => {
    const taker = createServer();
    await new Promise<void>((resolve) => taker.listen(0, '127.0.0.1', resolve));
    const { port: taken } = taker.address() as AddressInfo;
    const start = npmStart({ PORT: String(taken) });
    expect(await start.ended).toBe(1);
    taker.close();
    expect(start.output()).toContain(`Another program listens on port ${taken} of 127.0.0.1`);
  });

  // Each variable alone is tested in packages/runtime/src/env.test.ts and infra/start-config.test.ts.
  test('all problems of the configuration together', async () => {
    const start = npmStart({ ACCESS_KEY: '', HOST: '0.0.0.0', SHOPIFY_CLIENT_ID: 'id' });
    expect(await start.ended).toBe(1);
    expect(start.output()).toContain('ACCESS_KEY is empty');
    expect(start.output()).toContain('SHOPIFY_CLIENT_ID and SHOPIFY_CLIENT_SECRET go together');
  });
});
