import type { AppName } from '@draftshelf/infra/app-mains';
import { emptyStack } from './empty-stack.ts';
import type { Stack } from './stack.ts';

/** A stack that the test files of a worker use one after the other. */
type SharedStack<S extends Stack> = {
  /**
   * The stack for the next file, as after its start; a new one after a failed test, which may have left a trigger or a
   * stopped process. `names`: its processes, those of the file before by default.
   */
  next(names?: AppName[]): Promise<S>;
  /** Reports a failed test. */
  fail(): void;
  close(): Promise<void>;
};

/** Shares the stack that `start` starts for the first file. */
export function shareStack<S extends Stack>(start: (names?: AppName[]) => Promise<S>): SharedStack<S> {
  let running: S | undefined;
  let isBroken = false;
  const close = async () => {
    const ended = running;
    running = undefined;
    isBroken = false;
    await ended?.close();
  };
  return {
    async next(names) {
      if (isBroken) await close();
      if (running) await emptyStack(running, names);
      else running = await start(names);
      return running;
    },
    fail() {
      isBroken = true;
    },
    close,
  };
}
