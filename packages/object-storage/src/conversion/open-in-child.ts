import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type ByteSource, readRange } from '@draftshelf/workbooks/byte-source';
import { ContainerError } from '@draftshelf/workbooks/container-error';
import type { ContainerLimits } from '@draftshelf/workbooks/limits';
import type { Container, FoundPictures, ReadOptions, TableText } from '@draftshelf/workbooks/open-container';
import type { MessageToChild, MessageToParent, SerializedError } from './messages.ts';

/** Heap limit of a conversion in MB. The texts of a workbook are outside of the heap and have their own limit. */
const heapMb = 192;

const program = fileURLToPath(new URL('./conversion-main.ts', import.meta.url));

/** V8 aborts a process whose heap is full. On a system without signals, the process exits with this code. */
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

export type ContainerInChild = Container & { close(): void };

/** Opens a container in a child process. Throws ContainerError, also if the child dies. */
export async function openInChild(
  source: ByteSource,
  limits: ContainerLimits,
  signal: AbortSignal,
): Promise<ContainerInChild> {
  signal.throwIfAborted();
  // The child gets no secrets and no variables that change its behavior.
  const { NODE_COMPILE_CACHE, MALLOC_ARENA_MAX } = process.env;
  const child = fork(program, {
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${heapMb}`],
    env: { NODE_COMPILE_CACHE, MALLOC_ARENA_MAX },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const calls = callsTo(child, source, signal);
  try {
    return { ...(await calls.open(limits)), read: calls.read, pictures: calls.pictures, close: calls.close };
  } catch (error) {
    calls.close();
    throw error;
  }
}

function callsTo(child: ChildProcess, source: ByteSource, signal: AbortSignal) {
  const waiting = new Map<number, PromiseWithResolvers<MessageToParent>>();
  let ended: { reason: unknown } | undefined;
  let last = 0;
  const end = (reason: unknown) => {
    ended ??= { reason };
    for (const { reject } of waiting.values()) reject(ended.reason);
    waiting.clear();
    child.kill('SIGKILL');
  };
  const tell = (message: MessageToChild) => child.connected && child.send(message, () => {});
  const onAbort = () => end(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  child.once('exit', (code, killedBy) => {
    signal.removeEventListener('abort', onAbort);
    end(died(code ?? killedBy));
  });
  child.once('error', end);

  child.on('message', (message: MessageToParent) => {
    const { id } = message;
    if (message.is === 'range') {
      // An error of the source ends the conversion with that error.
      readRange(source, message.from, message.to).then((bytes) => tell({ is: 'range', id, bytes }), end);
      return;
    }
    const answer = waiting.get(id);
    waiting.delete(id);
    if (message.is === 'failed') answer?.reject(errorOf(message.error));
    else answer?.resolve(message);
  });

  /** Sends a request to the child, and returns its only answer. */
  const ask = (question: MessageToChild): Promise<MessageToParent> => {
    const answer = Promise.withResolvers<MessageToParent>();
    if (ended) answer.reject(ended.reason);
    else waiting.set(question.id, answer);
    tell(question);
    return answer.promise;
  };
  const newId = () => ++last;

  return {
    close: () => end(new Error('The conversion was closed')),
    async open(limits: ContainerLimits) {
      const answer = await ask({ is: 'open', id: newId(), bytes: source.bytes, limits });
      return (answer as MessageToParent & { is: 'opened' }).container;
    },
    async pictures(): Promise<FoundPictures> {
      const answer = await ask({ is: 'pictures', id: newId() });
      return (answer as MessageToParent & { is: 'found' }).found;
    },
    async *read(n: number, { headBytes, onNotices }: ReadOptions = {}): TableText {
      const id = newId();
      let answer: MessageToParent | undefined;
      try {
        answer = await ask({ is: 'read', id, n, headBytes });
        while (answer.is === 'piece') {
          yield answer.piece as Uint8Array<ArrayBuffer>;
          answer = await ask({ is: 'next', id });
        }
      } finally {
        if (answer?.is !== 'end') tell({ is: 'stop', id });
      }
      onNotices?.((answer as MessageToParent & { is: 'end' }).notices);
    },
  };
}

function errorOf({ message, code, stack }: SerializedError): Error {
  if (code !== undefined) return new ContainerError(code, message);
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
