import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { niceness } from './give-way.ts';
import { launchNode } from './launch.ts';
import { readProcess } from './process-table.ts';
import { type Program, type Supervised, stopInOrder, supervise } from './supervisor.ts';

let dir: string;
let reports: string[];
const started: Supervised[] = [];
const observer = { log: undefined, report: (text: string) => void reports.push(text) };
const stays = 'setInterval(() => {}, 1000);';
const ready = `process.send({ type: 'ready' });`;

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'draftshelf-supervisor-'));
});

afterAll(() => rm(dir, { recursive: true }));

afterEach(async () => {
  await Promise.all(started.splice(0).map((program) => program.stop()));
});

async function programOf(name: string, source: string, changes: Partial<Program> = {}): Promise<Program> {
  const script = path.join(dir, `${name}.mjs`);
  await writeFile(script, source);
  return {
    name,
    launch: launchNode(script),
    env: { PATH: process.env.PATH },
    readyWhen: 'message',
    readyMsMax: 10_000,
    firstStartsMax: 1,
    stopSignal: 'SIGTERM',
    stopMsMax: 10_000,
    ...changes,
  };
}

async function start(name: string, source: string, changes: Partial<Program> = {}): Promise<Supervised> {
  reports = [];
  const supervised = supervise(await programOf(name, source, changes), observer);
  started.push(supervised);
  return supervised;
}

const isGone = (pid: number) => readProcess(pid) === undefined;
const numberIn = async (file: string) =>
  Number(await readFile(path.join(dir, file), 'utf8').catch(() => 'none'));

test('a program that gives way has a lower priority than the others', async () => {
  const [worker, api] = await Promise.all([
    start('worker', `${ready} ${stays}`, { givesWay: true }),
    start('api', `${ready} ${stays}`),
  ]);
  await Promise.all([worker.ready, api.ready]);
  expect([worker, api].map((program) => getPriority(program.pid()))).toEqual([niceness, getPriority()]);
  // Linux may schedule a session as a group, whose priority counts then.
  const group = (program: Supervised) =>
    readFile(`/proc/${program.pid()}/autogroup`, 'utf8').catch(() => null);
  if ((await group(api)) === null) return;
  await expect.poll(() => group(worker)).toContain(`nice ${niceness}`);
  expect(await group(api)).toContain('nice 0');
});

test('a killed program is restarted, and its last output is reported', async () => {
  const program = await start('crasher', `console.log('all is well'); ${ready} ${stays}`);
  await program.ready;
  const first = program.pid() ?? 0;
  process.kill(first, 'SIGKILL');
  await expect
    .poll(() => reports, { timeout: 10_000 })
    .toEqual([
      'crasher was ended by SIGKILL; it is started again in 0.5 s. Its last output:\n    all is well',
      'crasher runs again',
    ]);
  expect(program.pid()).not.toBe(first);
});

test('repeated crashes are restarted with growing delays', async () => {
  const program = await start('looper', `${ready} setTimeout(() => { throw new Error('no luck') }, 20);`);
  await program.ready;
  const waits = () => reports.flatMap((text) => /again in ([\d.]+) s/.exec(text)?.[1] ?? []);
  await expect.poll(waits, { timeout: 15_000 }).toEqual(['0.5', '1', '2']);
  expect(reports.join()).toContain('no luck');
});

test('a restart stops the process in order and starts another', async () => {
  const file = path.join(dir, 'restarts');
  const program = await start(
    'edited',
    `import { appendFileSync } from 'node:fs';
     appendFileSync('${file}', 'start ');
     process.on('SIGTERM', () => { appendFileSync('${file}', 'stop '); process.exit(0); });
     ${ready} ${stays}`,
  );
  await program.ready;
  const first = program.pid() ?? 0;
  // The second request comes before the new process has been started, which is new enough for it too.
  await Promise.all([program.restart(), program.restart()]);
  await expect.poll(() => reports).toEqual(['edited runs again']);
  expect(isGone(first)).toBe(true);
  expect(await readFile(file, 'utf8')).toBe('start stop start ');
  await program.stop();
  expect(program.pid()).toBeUndefined();
});

test('a program that waits for its restart survives a start that fails', async () => {
  const program = await start('typo', 'const = 1;', { waitsForRestart: true });
  await expect
    .poll(() => reports)
    .toEqual(['typo ended with code 1 before it was ready; it waits for a change of its files']);
  await programOf('typo', `${ready} ${stays}`);
  await program.restart();
  await program.ready;
  // A process that was ready is started again without a change, like any other.
  process.kill(program.pid() ?? 0, 'SIGKILL');
  await expect.poll(() => reports.at(-1), { timeout: 10_000 }).toBe('typo runs again');
});

test('a program that ends before it is ready fails with its last output', async () => {
  const program = await start('broken', `console.error('PORT is not set'); process.exit(78);`);
  await expect(program.ready).rejects.toThrow(
    'broken could not start: it ended with code 78. Its last output:\n    PORT is not set',
  );
});

test('a program that is never ready fails too, and is killed', async () => {
  const program = await start('mute', stays, { readyMsMax: 300 });
  const pid = program.pid() ?? 0;
  await expect(program.ready).rejects.toThrow('mute could not start: it was not ready within 0.3 s');
  expect(isGone(pid)).toBe(true);
});

test('a program may need several starts, and may report readiness by a line of output', async () => {
  const counter = path.join(dir, 'tries');
  const source = `
    import { existsSync, readFileSync, writeFileSync } from 'node:fs';
    const tries = existsSync('${counter}') ? Number(readFileSync('${counter}', 'utf8')) + 1 : 1;
    writeFileSync('${counter}', String(tries));
    if (tries < 3) process.exit(1);
    console.error('now accepting'); ${stays}`;
  const program = await start('late', source, { readyWhen: /accepting/, firstStartsMax: 5 });
  await program.ready;
  expect(await numberIn('tries')).toBe(3);
});

test('programs stop in the order of their groups', async () => {
  const file = path.join(dir, 'order');
  const source = (name: string) => `
    import { appendFileSync } from 'node:fs';
    process.on('SIGTERM', () => { appendFileSync('${file}', '${name} '); process.exit(0); });
    ${ready} ${stays}`;
  const names = ['worker', 'storage', 'database'];
  const programs = await Promise.all(names.map((name) => start(name, source(name))));
  await Promise.all(programs.map((program) => program.ready));
  await stopInOrder(programs.map((program) => [program]));
  expect(await readFile(file, 'utf8')).toBe('worker storage database ');
  expect(programs.map((program) => program.pid())).toEqual([undefined, undefined, undefined]);
});

test('a program that does not stop is killed together with its child processes', async () => {
  const child = path.join(dir, 'grandchild');
  const source = `
    import { spawn } from 'node:child_process';
    import { writeFileSync } from 'node:fs';
    process.on('SIGTERM', () => {});
    writeFileSync('${child}', String(spawn(process.execPath, ['-e', '${stays}']).pid));
    ${ready} ${stays}`;
  const program = await start('stubborn', source, { stopMsMax: 200 });
  await program.ready;
  const pid = program.pid() ?? 0;
  await program.stop();
  expect(reports).toEqual(['stubborn did not stop within 0.2 s and is killed']);
  expect(isGone(pid)).toBe(true);
  const grandchild = await numberIn('grandchild');
  await expect.poll(() => isGone(grandchild)).toBe(true);
});

test('kill -9 of the supervisor leaves no process behind, not even one that ignores signals', async () => {
  const deaf = `process.on('SIGTERM', () => {}); process.on('disconnect', () => {}); ${ready} ${stays}`;
  const program = await programOf('deaf', deaf);
  const source = `
    import { supervise } from ${JSON.stringify(new URL('./supervisor.ts', import.meta.url).href)};
    const program = supervise(${JSON.stringify(program)}, { log: undefined, report: () => {} });
    await program.ready;
    console.log(program.pid());`;
  const supervisor = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await once(supervisor.stdout, 'data');
  const pid = Number(output);
  expect(isGone(pid)).toBe(false);
  supervisor.kill('SIGKILL');
  await expect.poll(() => isGone(pid), { timeout: 5000 }).toBe(true);
});
