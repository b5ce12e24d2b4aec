import type { ScannedInput } from '@draftshelf/contract/scanner/scanner';
import { CallError } from '../../../api/call.ts';
import { type Line, whyNotSaved } from './batch-lines.ts';

/** Attempts for a line whose answer does not arrive. The id makes a repetition harmless. */
const attemptsMax = 3;

type SaveDeps = {
  send: (id: string, input: ScannedInput) => Promise<void>;
  /** Waits before the next attempt; `attempt` counts from 1. */
  wait: (attempt: number) => Promise<void>;
  /** Called for each line as soon as its result is there. `problem`: why it was not saved; null: it was. */
  report: (id: string, problem: string | null) => void;
};

/** Saves the lines that can be saved, one after the other. Returns how many were saved. */
export async function saveLines(lines: readonly Line[], deps: SaveDeps): Promise<number> {
  let saved = 0;
  // The first scanned comes first, so that the library has the order of the shelf.
  for (const line of lines.filter((one) => whyNotSaved(one) === null).toReversed()) {
    const problem = await saveLine(line, deps);
    if (problem === null) saved += 1;
    deps.report(line.id, problem);
  }
  return saved;
}

async function saveLine(line: Line, { send, wait }: SaveDeps): Promise<string | null> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await send(line.id, inputOf(line));
      return null;
    } catch (error) {
      const isRefused = error instanceof CallError && error.status < 500;
      if (isRefused) return error.serverMessage ?? error.message;
      if (attempt === attemptsMax) return 'The server didn’t answer. Save again: nothing is saved twice.';
      await wait(attempt);
    }
  }
}

function inputOf({ name, price, sku, upc, description, photo }: Line): ScannedInput {
  const photos = photo === null ? [] : [photo];
  return { name: name.trim(), price: price.trim(), sku, upc, description, photos };
}
