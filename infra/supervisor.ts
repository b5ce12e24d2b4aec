import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { callWithTimeout } from '@draftshelf/runtime/answer-within';
import { giveWay } from './give-way.ts';
import type { Launch } from './launch.ts';
import type { LogFile } from './log-file.ts';

/** A program to run and restart. */
export type Program = {
  name: string;
  /** The folder of its package below the root, if it is an app. */
  folder?: string;
  launch: Launch;
  env: Readonly<Record<string, string | undefined>>;
  /** Ready when it sends {type: 'ready'}, or when a line of its output matches. */
  readyWhen: 'message' | RegExp;
  readyMsMax: number;
  /** Maximum starts until it is ready for the first time; after that it is always restarted. */
  firstStartsMax: number;
  stopSignal: 'SIGTERM' | 'SIGINT';
  stopMsMax: number;
  /** After a start that fails, it waits for `restart`. */
  waitsForRestart?: boolean;
  /** The api runs before it where processors are short. */
  givesWay?: boolean;
};

/** Receives a supervised program's output and reports about its ends. */
export type ProcessObserver = { log: LogFile | undefined; report: (text: string) => void };

export type Supervised = {
  name: string;
  /** Resolves when it is ready for the first time; rejects with a ProgramError if it never is. */
  ready: Promise<void>;
  /** The current process, or undefined between two starts. */
  pid: () => number | undefined;
  /** Ends the current process, if there is one, and starts another. */
  restart: () => Promise<void>;
  /** Ends it and does not start it again. */
  stop: () => Promise<void>;
};

/** A program did not become ready. The message contains the end of its output. */
export class ProgramError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProgramError';
  }
}

const restartMsMin = 500;
const restartMsMax = 30_000;
const firstRestartMs = 250;
/** After running this long a program counts as recovered, and its next restart is quick again. */
const recoveredMs = 60_000;
const outputTailLinesMax = 20;
const lineLengthMax = 500;

/**
 * Starts a program in its own process group (a Ctrl-C in the terminal reaches only the supervisor, which stops
 * everything in order) and restarts it with growing delays whenever it ends by itself.
 */
export function supervise(program: Program, observer: ProcessObserver): Supervised {
  const firstReady = Promise.withResolvers<void>();
  // A caller that stops early may never await it.
  firstReady.promise.catch(() => {});
  let wasReady = false;
  let stopping = false;
  let starts = 0;
  let crashesInRow = 0;
  let running: Running | undefined;
  let nextStart: NodeJS.Timeout | undefined;
  let replacing: Promise<void> | undefined;

  const start = () => {
    starts += 1;
    const startedAt = performance.now();
    const current = run(program, observer.log);
    let isReady = false;
    running = current;
    current.ready.then(() => {
      isReady = true;
      if (wasReady) observer.report(`${program.name} runs again`);
      wasReady = true;
      firstReady.resolve();
    });
    current.ended.then((how) => {
      running = undefined;
      if (stopping || replacing) return;
      if (program.waitsForRestart && !isReady) {
        observer.report(`${program.name} ${how} before it was ready; it waits for a change of its files`);
        return;
      }
      if (!wasReady && starts >= program.firstStartsMax) {
        firstReady.reject(
          new ProgramError(`${program.name} could not start: it ${how}${outputTailOf(current)}`),
        );
        return;
      }
      crashesInRow = performance.now() - startedAt > recoveredMs ? 1 : crashesInRow + 1;
      const delayMs = wasReady
        ? Math.min(restartMsMin * 2 ** (crashesInRow - 1), restartMsMax)
        : firstRestartMs;
      if (wasReady) {
        observer.report(
          `${program.name} ${how}; it is started again in ${delayMs / 1000} s${outputTailOf(current)}`,
        );
      }
      nextStart = setTimeout(start, delayMs);
    });
  };
  start();

  const end = async () => {
    clearTimeout(nextStart);
    if (running) await endInOrder(program, running, observer);
  };
  return {
    name: program.name,
    ready: firstReady.promise,
    pid: () => running?.child.pid,
    restart: () => {
      replacing ??= end().then(() => {
        replacing = undefined;
        if (!stopping) start();
      });
      return replacing;
    },
    stop: async () => {
      stopping = true;
      await end();
    },
  };
}

/** Asks the process to stop, and kills it if that takes too long. */
async function endInOrder(program: Program, { child, ended }: Running, observer: ProcessObserver) {
  child.kill(program.stopSignal);
  await callWithTimeout(program.stopMsMax, program.name, () => ended).catch(() => {
    observer.report(`${program.name} did not stop within ${program.stopMsMax / 1000} s and is killed`);
    killGroup(child, 'SIGKILL');
    return ended;
  });
}

/** Stops one group after the other; the programs of a group at the same time. */
export async function stopInOrder(groups: readonly (readonly Supervised[])[]): Promise<void> {
  for (const group of groups) await Promise.all(group.map((program) => program.stop()));
}

/** One process of a program. */
type Running = {
  child: ChildProcess;
  outputTail: string[];
  /** Stays pending if the program ends first; it is killed if it takes too long. */
  ready: Promise<void>;
  /** How it ended, or that it was not ready in time, as the rest of a sentence. */
  ended: Promise<string>;
};

function run(program: Program, log: LogFile | undefined): Running {
  const { command, args, channel } = program.launch;
  const child = spawn(command, args, {
    detached: true,
    env: program.env,
    stdio: ['ignore', 'pipe', 'pipe', ...(channel ? (['ipc'] as const) : [])],
  });
  if (program.givesWay) giveWay(child.pid);
  const ready = Promise.withResolvers<void>();
  let lateness: string | undefined;
  const tooLate = setTimeout(() => {
    lateness = `was not ready within ${program.readyMsMax / 1000} s`;
    killGroup(child, 'SIGKILL');
  }, program.readyMsMax);
  const outputTail: string[] = [];
  const outputs = [child.stdout, child.stderr].flatMap((output) => (output ? [output] : []));
  for (const output of outputs) {
    createInterface({ input: output, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
      log?.write(`${line}\n`);
      outputTail.push(line.slice(0, lineLengthMax));
      if (outputTail.length > outputTailLinesMax) outputTail.shift();
      if (program.readyWhen !== 'message' && program.readyWhen.test(line)) ready.resolve();
    });
  }
  child.on('message', (message) => {
    if (program.readyWhen === 'message' && isReady(message)) ready.resolve();
  });
  ready.promise.then(() => clearTimeout(tooLate));
  return {
    child,
    outputTail,
    ready: ready.promise,
    ended: endOf(child)
      .then((how) => lateness ?? how)
      .finally(() => clearTimeout(tooLate)),
  };
}

/** Waits for the end of the process and of its output. */
async function endOf(child: ChildProcess): Promise<string> {
  const ended = Promise.withResolvers<string>();
  child.on('error', (error) => ended.resolve(`could not be run (${error.message})`));
  child.on('exit', (code, signal) =>
    ended.resolve(signal ? `was ended by ${signal}` : `ended with code ${code}`),
  );
  const how = await ended.promise;
  // Kills its child processes too, which may still hold its output open.
  killGroup(child, 'SIGKILL');
  const outputs = [child.stdout, child.stderr].filter((output) => output && !output.closed);
  const closed = Promise.all(outputs.map((output) => output && once(output, 'close')));
  await callWithTimeout(500, 'the output', () => closed).catch(() => {});
  return how;
}

function isReady(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'ready';
}

/** Signals all remaining processes of a program's group. */
function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The process group does not exist: all have ended.
  }
}

function outputTailOf(running: Running): string {
  if (running.outputTail.length === 0) return '';
  return `. Its last output:\n${running.outputTail.map((line) => `    ${line}`).join('\n')}`;
}
