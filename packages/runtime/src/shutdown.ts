import { answerWithin } from './answer-within.ts';
import type { Logger } from './logger.ts';

/** One step of a shutdown. Order: stop taking work first, close connections last. */
export type ShutdownStep = { name: string; run: () => Promise<unknown> };

/** Sent by a person, a container runtime and a closing terminal. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs the steps in order and exits, on a stop signal or when the parent process (connected by an IPC channel) is gone.
 * Each step may take `stepMsMax`; a step that fails or takes longer is logged and the next one runs. The exit code is 0
 * if all steps succeeded, else 1.
 */
export function onShutdown(options: {
  steps: readonly ShutdownStep[];
  stepMsMax: number;
  logger: Logger;
}): void {
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

/** Says why this process ends, and ends it as its steps say. Its supervisor starts it again. */
export const endProcess = (logger: Logger) => (sentence: string) => {
  logger.error(sentence);
  process.kill(process.pid, 'SIGTERM');
};

async function runSteps(steps: readonly ShutdownStep[], stepMsMax: number, logger: Logger): Promise<boolean> {
  let clean = true;
  for (const step of steps) {
    try {
      await answerWithin(stepMsMax, step.name, step.run);
    } catch (error) {
      clean = false;
      logger.error({ err: error, step: step.name }, 'shutdown step failed');
    }
  }
  return clean;
}
