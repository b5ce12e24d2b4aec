import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

/** A process that says 'ready', then ends in two steps; `stepsSource` is the body of the steps array. */
function start(stepsSource: string): ChildProcess {
  const source = `
    const { onShutdown, signalReady } = await import(${JSON.stringify(new URL('./shutdown.ts', import.meta.url).href)});
    const { createLogger } = await import(${JSON.stringify(new URL('./logger.ts', import.meta.url).href)});
    const say = (text) => process.stderr.write(text + '\\n');
    setInterval(() => {}, 1000);
    onShutdown({ steps: [${stepsSource}], stepMsMax: 100, logger: createLogger({ name: 't', level: 'info', pretty: false }) });
    signalReady();
  `;
  return spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

/** There is no 'close' event after a deliberate disconnect, so this waits for exit and for the end of stderr. */
async function endOf(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  if (!child.stderr) throw new Error('stderr is not piped');
  const [output, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { code, output };
}

const inOrder = `{ name: 'a', run: async () => say('a') }, { name: 'b', run: async () => say('b') }`;

test.each(['SIGINT', 'SIGTERM'] as const)('%s runs the steps in order', async (signal) => {
  const child = start(inOrder);
  const end = endOf(child);
  expect((await once(child, 'message'))[0]).toEqual({ type: 'ready' });
  child.kill(signal);
  expect(await end).toEqual({ code: 0, output: 'a\nb\n' });
});

test('a closed channel to the parent ends the process too', async () => {
  const child = start(inOrder);
  const end = endOf(child);
  await once(child, 'message');
  child.disconnect();
  expect(await end).toEqual({ code: 0, output: 'a\nb\n' });
});

test('a step that hangs or throws does not keep the next from running', async () => {
  const child = start(
    `{ name: 'hangs', run: () => new Promise(() => {}) }, { name: 'throws', run: async () => { throw new Error('x') } }, { name: 'b', run: async () => say('b') }`,
  );
  const end = endOf(child);
  await once(child, 'message');
  child.kill('SIGTERM');
  expect(await end).toEqual({ code: 1, output: 'b\n' });
});
