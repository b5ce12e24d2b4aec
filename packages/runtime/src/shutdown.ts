import { answerWithin } from './answer-within.ts';
import type { Logger } from './logger.ts';

/** Order: stop taking work first, close connections last. */
export type ShutdownStep = { name: string; run: () => Promise<unknown> };

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Exits after all steps, on a stop signal or without a parent (IPC channel). Logs a step over `stepMsMax`. */
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

/** Logs why this process ends, and ends it by its steps. Its supervisor restarts it. */
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

/** Signals the parent that this process is ready; the supervisor of the embedded default waits for it. */
export function signalReady(): void {
  process.send?.({ type: 'ready' });
}
