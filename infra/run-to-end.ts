import { spawn } from 'node:child_process';
import type { Launch } from './launch.ts';
import { StartError } from './start-error.ts';

const outputLengthMax = 8000;

/**
 * Runs a program that is expected to end, and returns the end of its output.
 *
 * @throws StartError with the end of its output if it fails
 */
export async function runToEnd(task: {
  what: string;
  launch: Launch;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
}): Promise<string> {
  const child = spawn(task.launch.command, task.launch.args, {
    cwd: task.cwd,
    env: task.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece) => {
      output = `${output}${piece}`.slice(-outputLengthMax);
    });
  }
  const { promise: ended, resolve, reject } = Promise.withResolvers<string>();
  child.on('error', reject);
  child.on('close', (code, signal) => resolve(signal ?? `code ${code}`));
  const how = await ended;
  if (how !== 'code 0') throw new StartError(`${task.what} failed (${how}):\n${output.trimEnd()}`);
  return output.trimEnd();
}
