import type { ByteSource } from '@draftshelf/workbooks/byte-source';
import { ContainerError } from '@draftshelf/workbooks/container-error';
import { type Container, openContainer, type TableNotices } from '@draftshelf/workbooks/open-container';
import type { SentError, ToChild, ToParent } from './messages.ts';

// Converts one workbook or archive. It has its own heap, so that a file that needs more ends only this process.

const tell = (message: ToParent) => void process.send?.(message);
process.once('disconnect', () => process.exit());

const ranges = new Map<number, (piece: Uint8Array | null) => void>();
const readings = new Map<number, { pieces: AsyncIterator<Uint8Array>; notices: () => TableNotices }>();
let lastRange = 0;

const sourceOf = (bytes: number): ByteSource => ({
  bytes,
  async *stream(from, to) {
    lastRange += 1;
    const id = lastRange;
    const pieceFor = (question: ToParent) => {
      const { promise, resolve } = Promise.withResolvers<Uint8Array | null>();
      ranges.set(id, resolve);
      tell(question);
      return promise;
    };
    try {
      let piece = await pieceFor({ is: 'range', id, from, to });
      while (piece !== null) {
        yield piece;
        piece = await pieceFor({ is: 'next-of-range', id });
      }
    } finally {
      ranges.delete(id);
      tell({ is: 'end-of-range', id });
    }
  },
});

async function sendNext(id: number): Promise<void> {
  const reading = readings.get(id);
  const next = await reading?.pieces.next();
  if (!reading || !next) return;
  if (!next.done) return tell({ is: 'piece', id, piece: next.value });
  readings.delete(id);
  tell({ is: 'end', id, notices: reading.notices() });
}

async function stop(id: number): Promise<void> {
  const reading = readings.get(id);
  readings.delete(id);
  await reading?.pieces.return?.();
}

function toSent(error: unknown): SentError {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, stack = '' } = error;
  return error instanceof ContainerError ? { message, code: error.code } : { message, stack };
}

let opened: Container | undefined;

async function answer(message: Exclude<ToChild, { is: 'range' }>): Promise<void> {
  const { id } = message;
  if (message.is === 'open') {
    opened = await openContainer(sourceOf(message.bytes), message.limits);
    const { kind, tables } = opened;
    return tell({ is: 'opened', id, container: { kind, tables } });
  }
  if (message.is === 'next') return sendNext(id);
  if (message.is === 'stop') return stop(id);
  // The parent asks for tables and pictures once the file is open.
  const container = opened as Container;
  if (message.is === 'pictures') return tell({ is: 'found', id, found: await container.pictures() });
  const reading = container.read(message.n, message.options);
  readings.set(id, { pieces: reading.pieces()[Symbol.asyncIterator](), notices: reading.notices });
  return sendNext(id);
}

process.on('message', (message: ToChild) => {
  const { id } = message;
  if (message.is === 'range') return ranges.get(id)?.(message.piece);
  answer(message).catch((error: unknown) => tell({ is: 'failed', id, error: toSent(error) }));
});
