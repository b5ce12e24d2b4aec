import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ByteSource } from '@draftshelf/workbooks/byte-source';
import { ContainerError } from '@draftshelf/workbooks/container-error';
import type { ContainerLimits } from '@draftshelf/workbooks/limits';
import type {
  Container,
  FoundPictures,
  ReadOptions,
  TableNotices,
  TableReading,
} from '@draftshelf/workbooks/open-container';
import type { SentError, ToChild, ToParent } from './messages.ts';

/** Main heap of a conversion in MB. The texts of a workbook are outside of it, with their own limit. */
const heapMb = 192;

const program = fileURLToPath(new URL('./conversion-main.ts', import.meta.url));

/** V8 aborts a process with a full heap; without signals it ends with this code. */
const abortCode = 134;

function died(end: number | NodeJS.Signals | null): ContainerError {
  const what =
    end === 'SIGABRT' || end === abortCode
      ? 'The file needs more memory than a file may take.'
      : 'The program that reads workbooks ended before it had read the file.';
  return new ContainerError('conversion_died', `${what} Save the list as CSV and upload that.`, {
    cause: new Error(`The conversion ended with ${end}`),
  });
}

type Waiting = { on: (message: ToParent) => void; fail: (error: unknown) => void };

export type ContainerInChild = Container & { close(): void };

/** Opens a container in a child process without secrets. Throws ContainerError, also when the child dies. */
export async function openInChild(
  source: ByteSource,
  limits: ContainerLimits,
  signal: AbortSignal,
): Promise<ContainerInChild> {
  signal.throwIfAborted();
  const child = fork(program, {
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${heapMb}`],
    env: childEnv(),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const calls = callsTo(child, source, signal);
  try {
    const { container } = await calls.opened({ is: 'open', bytes: source.bytes, limits });
    return { ...container, read: calls.read, pictures: calls.pictures, close: calls.close };
  } catch (error) {
    calls.close();
    throw error;
  }
}

// No secrets, and nothing that changes its behavior.
function childEnv(): NodeJS.ProcessEnv {
  const { NODE_COMPILE_CACHE, MALLOC_ARENA_MAX } = process.env;
  return {
    ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
    ...(MALLOC_ARENA_MAX === undefined ? {} : { MALLOC_ARENA_MAX }),
  };
}

function callsTo(child: ChildProcess, source: ByteSource, signal: AbortSignal) {
  const waiting = new Map<number | null, Waiting>();
  const ranges = new Map<number, AsyncIterator<Uint8Array>>();
  let ended: { reason: unknown } | undefined;
  let last = 0;
  const end = (reason: unknown) => {
    ended ??= { reason };
    for (const { fail } of waiting.values()) fail(ended.reason);
    waiting.clear();
    child.kill('SIGKILL');
  };
  const tell = (message: ToChild) => child.connected && child.send(message, () => {});
  const onAbort = () => end(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  child.once('exit', (code, killedBy) => {
    signal.removeEventListener('abort', onAbort);
    end(died(code ?? killedBy));
  });
  child.once('error', end);

  /** An error of the source ends the conversion with it. */
  const sendPiece = async (id: number) => {
    try {
      const { done, value } = (await ranges.get(id)?.next()) ?? { done: true };
      tell({ is: 'range', id, piece: done ? null : value });
    } catch (error) {
      end(error);
    }
  };
  const onRange = (message: ToParent): boolean => {
    if (message.is === 'range') {
      const { id, from, to } = message;
      ranges.set(id, source.stream(from, to)[Symbol.asyncIterator]());
      void sendPiece(id);
    } else if (message.is === 'next-of-range') void sendPiece(message.id);
    else if (message.is === 'end-of-range') {
      void ranges
        .get(message.id)
        ?.return?.()
        .catch(() => {});
      ranges.delete(message.id);
    } else return false;
    return true;
  };
  child.on('message', (message: ToParent) => {
    if (onRange(message)) return;
    const of = message.is === 'opened' || !('id' in message) ? null : message.id;
    const one = waiting.get(of);
    if (message.is === 'failed') one?.fail(errorOf(message.error));
    else one?.on(message);
  });

  const asked = (id: number | null, message: ToChild) => {
    let next = Promise.withResolvers<ToParent>();
    next.promise.catch(() => {});
    waiting.set(id, { on: (answer) => next.resolve(answer), fail: (error) => next.reject(error) });
    if (ended) next.reject(ended.reason);
    tell(message);
    return {
      async answer(): Promise<ToParent> {
        const answer = await next.promise;
        next = Promise.withResolvers();
        next.promise.catch(() => {});
        if (ended) next.reject(ended.reason);
        return answer;
      },
      done: () => waiting.delete(id),
    };
  };
  const newId = () => {
    last += 1;
    return last;
  };

  return {
    close: () => end(new Error('The conversion was closed')),
    async opened(message: ToChild) {
      const call = asked(null, message);
      const answer = await call.answer();
      call.done();
      return answer as ToParent & { is: 'opened' };
    },
    async pictures(): Promise<FoundPictures> {
      const id = newId();
      const call = asked(id, { is: 'pictures', id });
      const answer = await call.answer();
      call.done();
      return (answer as ToParent & { is: 'found' }).found;
    },
    read(n: number, options?: ReadOptions): TableReading {
      let notices: TableNotices | undefined;
      return {
        async *pieces() {
          const id = newId();
          const call = asked(id, { is: 'read', id, n, options });
          try {
            for (;;) {
              const answer = await call.answer();
              if (answer.is === 'end') {
                notices = answer.notices;
                return;
              }
              yield (answer as ToParent & { is: 'piece' }).piece as Uint8Array<ArrayBuffer>;
              tell({ is: 'next', id });
            }
          } finally {
            call.done();
            if (notices === undefined) tell({ is: 'stop', id });
          }
        },
        notices: () => {
          if (notices === undefined) throw new Error('The table has not been read to its end');
          return notices;
        },
      };
    },
  };
}

function errorOf({ message, code, stack }: SentError): Error {
  if (code !== undefined) return new ContainerError(code, message);
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
