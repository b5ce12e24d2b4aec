import type { ByteSource } from '@draftshelf/workbooks/byte-source';
import { ContainerError } from '@draftshelf/workbooks/container-error';
import { type Container, openContainer } from '@draftshelf/workbooks/open-container';
import type { SentError, ToChild, ToParent } from './messages.ts';

// Converts one workbook or archive. It has its own heap, so that a file that needs more ends only this process.

const tell = (message: ToParent) => void process.send?.(message);
process.once('disconnect', () => process.exit());

type Stream = { give: (piece: Uint8Array | null) => void; fail: () => void };
const ranges = new Map<number, Stream>();
const readings = new Map<number, { next: () => void; stop: () => void }>();
let lastRange = 0;

const sourceOf = (bytes: number): ByteSource => ({
  bytes,
  async *stream(from, to) {
    lastRange += 1;
    const id = lastRange;
    let given = Promise.withResolvers<Uint8Array | null>();
    ranges.set(id, {
      give: (piece) => given.resolve(piece),
      fail: () => given.reject(new Error('The bytes of the file could not be read')),
    });
    tell({ is: 'range', id, from, to });
    try {
      for (;;) {
        const piece = await given.promise;
        if (piece === null) return;
        given = Promise.withResolvers();
        yield piece;
        tell({ is: 'next-of-range', id });
      }
    } finally {
      ranges.delete(id);
      tell({ is: 'end-of-range', id });
    }
  },
});

async function sendTable(container: Container, { id, n, options }: ToChild & { is: 'read' }): Promise<void> {
  let asked = Promise.withResolvers<boolean>();
  readings.set(id, { next: () => asked.resolve(true), stop: () => asked.resolve(false) });
  const reading = container.read(n, options);
  for await (const piece of reading.pieces()) {
    tell({ is: 'piece', id, piece });
    const goesOn = await asked.promise;
    asked = Promise.withResolvers();
    if (!goesOn) break;
  }
  readings.delete(id);
  tell({ is: 'end', id, notices: reading.notices() });
}

function toSent(error: unknown): SentError {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, stack = '' } = error;
  return error instanceof ContainerError ? { message, code: error.code } : { message, stack };
}

const orFailed = (id: number | null, work: Promise<void>): void =>
  void work.catch((error: unknown) => tell({ is: 'failed', id, error: toSent(error) }));

let opened: Container | undefined;

async function open({ bytes, limits }: ToChild & { is: 'open' }): Promise<void> {
  opened = await openContainer(sourceOf(bytes), limits);
  const { kind, tables } = opened;
  tell({ is: 'opened', container: { kind, tables } });
}

process.on('message', (message: ToChild) => {
  if (message.is === 'open') return orFailed(null, open(message));
  if (message.is === 'range') return ranges.get(message.id)?.give(message.piece);
  if (message.is === 'range-failed') return ranges.get(message.id)?.fail();
  if (message.is === 'next' || message.is === 'stop') return readings.get(message.id)?.[message.is]();
  // The parent asks for tables and pictures once the file is open.
  const container = opened as Container;
  const { id } = message;
  if (message.is === 'read') return orFailed(id, sendTable(container, message));
  return orFailed(
    id,
    container.pictures().then((found) => tell({ is: 'found', id, found })),
  );
});
