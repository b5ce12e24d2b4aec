import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** A program ended with another code than 0; the message contains the end of its output. */
export class RunError extends Error {
  constructor(command: string, how: string, words: string) {
    super(`${command} ended with ${how}:\n${words.slice(-4000)}`);
    this.name = 'RunError';
  }
}

/** Runs a program to its end and returns its standard output without the last line end. Throws RunError. */
export async function run(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const { promise: ended, resolve, reject } = Promise.withResolvers<string>();
  child.on('error', reject);
  child.on('exit', (code, signal) => resolve(String(signal ?? code)));
  const [how, output, errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  if (how !== '0') throw new RunError(`${command} ${args.join(' ')}`, how, output + errors);
  return output.replace(/\n$/, '');
}

/** Whether a program can be run and ends with code 0. */
export async function works(
  command: string,
  args: readonly string[],
  env?: NodeJS.ProcessEnv,
): Promise<boolean> {
  return run(command, args, env ? { env } : {}).then(
    () => true,
    () => false,
  );
}
