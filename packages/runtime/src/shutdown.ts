import { callWithTimeout } from './answer-within.ts';
import type { Logger } from './logger.ts';

/** A step of a shutdown. The first steps stop taking work, and the last steps close connections. */
export type ShutdownStep = { name: string; run: () => Promise<unknown> };

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** On a stop signal, or if the parent disconnects, runs the steps and exits. Logs steps longer than `stepMsMax`. */
export function onShutdown(options: { steps: readonly ShutdownStep[]; stepMsMax: number; logger: Logger }) {
  let stopping = false;
  const stop = async (cause: string) => {
    if (stopping) return;
    stopping = true;
    options.logger.info({ cause }, 'stopping');
    const clean = await runSteps(options.steps, options.stepMsMax, options.logger);
    process.exit(clean ? 0 : 1);
  };
  for (const signal of stopSignals) process.on(signal, () => void stop(signal));
  if (process.channel) process.on('disconnect', () => void stop('the parent process is gone'));
}

/** Returns a function that logs why this process ends and starts its shutdown. The supervisor restarts the process. */
export const createProcessEnder = (logger: Logger) => (sentence: string) => {
  logger.error(sentence);
  process.kill(process.pid, 'SIGTERM');
};

async function runSteps(steps: readonly ShutdownStep[], stepMsMax: number, logger: Logger): Promise<boolean> {
  let clean = true;
  for (const step of steps) {
    try {
      await callWithTimeout(stepMsMax, step.name, step.run);
    } catch (error) {
      clean = false;
      logger.error({ err: error, step: step.name }, 'shutdown step failed');
    }
  }
  return clean;
}

/** Tells a parent process that this process is ready. The supervisor of npm start waits for the message. */
export function signalReady(): void {
  process.send?.({ type: 'ready' });
}
