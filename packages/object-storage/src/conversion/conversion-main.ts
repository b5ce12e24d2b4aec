import type { ByteSource } from '@draftshelf/workbooks/byte-source';
import { ContainerError } from '@draftshelf/workbooks/container-error';
import {
  type Container,
  openContainer,
  type TableNotices,
  type TableText,
} from '@draftshelf/workbooks/open-container';
import type { MessageToChild, MessageToParent, SerializedError } from './messages.ts';

// Converts one workbook or archive in its own process, so that a file that exhausts the heap ends only this process.

const tell = (message: MessageToParent) => void process.send?.(message);
process.once('disconnect', () => process.exit());

const ranges = new Map<number, (bytes: Uint8Array) => void>();
const readings = new Map<number, TableText>();
let lastRange = 0;

function askRange(from: number, to: number): Promise<Uint8Array> {
  lastRange += 1;
  const { promise, resolve } = Promise.withResolvers<Uint8Array>();
  ranges.set(lastRange, resolve);
  tell({ is: 'range', id: lastRange, from, to });
  return promise;
}

/** Bytes of a range. The parent holds one range in memory at a time. */
const rangeBytes = 2 ** 20;

const sourceOf = (bytes: number): ByteSource => ({
  bytes,
  async *stream(from, to) {
    for (let at = from; at < to; at += rangeBytes) yield await askRange(at, Math.min(at + rangeBytes, to));
  },
});

async function sendNext(id: number): Promise<void> {
  const next = await readings.get(id)?.next();
  if (next?.done) readings.delete(id);
  else if (next) tell({ is: 'piece', id, piece: next.value });
}

async function stop(id: number): Promise<void> {
  const reading = readings.get(id);
  readings.delete(id);
  await reading?.return();
}

function toSent(error: unknown): SerializedError {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, stack = '' } = error;
  return error instanceof ContainerError ? { message, code: error.code } : { message, stack };
}

let opened: Container | undefined;

async function answer(message: Exclude<MessageToChild, { is: 'range' }>): Promise<void> {
  const { id } = message;
  if (message.is === 'open') {
    opened = await openContainer(sourceOf(message.bytes), message.limits);
    const { kind, tables } = opened;
    return tell({ is: 'opened', id, container: { kind, tables } });
  }
  if (message.is === 'next') return sendNext(id);
  if (message.is === 'stop') return stop(id);
  // The parent requests tables and pictures only after the file is open.
  const container = opened as Container;
  if (message.is === 'pictures') return tell({ is: 'found', id, found: await container.pictures() });
  const { n, headBytes } = message;
  const onNotices = (notices: TableNotices) => tell({ is: 'end', id, notices });
  readings.set(id, container.read(n, { headBytes, onNotices }));
  return sendNext(id);
}

process.on('message', (message: MessageToChild) => {
  const { id } = message;
  if (message.is === 'range') {
    ranges.get(id)?.(message.bytes);
    ranges.delete(id);
    return;
  }
  answer(message).catch((error: unknown) => tell({ is: 'failed', id, error: toSent(error) }));
});
