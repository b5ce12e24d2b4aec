import type { ReadCode } from './reader-options.ts';

export type ReaderRequest = { id: number; picture: ImageBitmap };
export type ReaderReply =
  | { kind: 'ready' }
  | { kind: 'broken'; message: string }
  | { kind: 'read'; id: number; code: ReadCode | null }
  | { kind: 'failed'; id: number; message: string };

/** Reads codes of pictures in a worker. */
export type CodeReader = {
  /** Ends when the reader is loaded; rejected if it cannot be. */
  ready: Promise<void>;
  /** The code of a picture, which it takes over; null: none was found. */
  read(picture: ImageBitmap): Promise<ReadCode | null>;
  close(): void;
};

/** Starts the worker, which loads the reader at once. */
export function openCodeReader(): CodeReader {
  const worker = new Worker(new URL('./code-worker.ts', import.meta.url), { type: 'module' });
  const ready = Promise.withResolvers<void>();
  // Who opens the reader looks at `ready` later.
  ready.promise.catch(() => {});
  const waiting = new Map<number, PromiseWithResolvers<ReadCode | null>>();
  let next = 1;
  const breakOff = (message: string) => {
    const error = new Error(message);
    ready.reject(error);
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.addEventListener('message', ({ data }: MessageEvent<ReaderReply>) => {
    if (data.kind === 'ready') return ready.resolve();
    if (data.kind === 'broken') return breakOff(data.message);
    const read = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.kind === 'read') read?.resolve(data.code);
    else read?.reject(new Error(data.message));
  });
  worker.addEventListener('error', ({ message }) => breakOff(message || 'The code reader did not start.'));
  return {
    ready: ready.promise,
    read(picture) {
      const id = next++;
      const read = Promise.withResolvers<ReadCode | null>();
      waiting.set(id, read);
      worker.postMessage({ id, picture } satisfies ReaderRequest, [picture]);
      return read.promise;
    },
    close() {
      worker.terminate();
      breakOff('The code reader was closed.');
    },
  };
}
