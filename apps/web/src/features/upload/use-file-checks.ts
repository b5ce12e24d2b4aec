import type { MappingOverrides } from '@draftshelf/domain/reading/mapping/header-mapping';
import { isPartialList } from '@draftshelf/domain/suppliers/is-partial-list';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useRecallMapping } from '../import/index.ts';
import { type ChosenFile, type FileCheck, listNotUploaded, toFileReading } from './files/chosen-files.ts';
import type { Preview } from './preview/preview.ts';
import { toRememberedOverrides } from './preview/preview-mapping.ts';
import {
  createPreviewWorker,
  type PreviewRequest,
  type ReadRequest,
  toCrashReply,
} from './preview/preview-reader.ts';
import { type PreviewReply, tooFewRecords } from './preview/preview-state.ts';
import { type FoundSupplier, isReadAsPartialList, supplierQuery } from './upload-api.ts';

/** Maximum number of files that are read at once, besides the previewed one. Processor cores are left for the page. */
const checksMax = 2;

/** The share of each file that has been read, from 0 to 1, by file id. */
export type CheckProgress = ReadonlyMap<number, number>;

type Running = Pick<ChosenFile, 'choice' | 'own'>;

/** Returns the files to check next, and the checks to stop because their file is uploaded, previewed or changed. */
export function chooseNextChecks(
  files: readonly ChosenFile[],
  previewed: number | null,
  running: ReadonlyMap<number, Running>,
): { stop: number[]; start: ChosenFile[] } {
  const waiting = listNotUploaded(files).filter(({ id, checked }) => checked === null && id !== previewed);
  const goesOn = ({ id, choice, own }: ChosenFile) => {
    const check = running.get(id);
    return check !== undefined && check.choice === choice && check.own === own;
  };
  const goingOn = waiting.filter(goesOn);
  return {
    stop: [...running.keys()].filter((id) => !goingOn.some((file) => file.id === id)),
    start: waiting.filter((file) => !goesOn(file)).slice(0, checksMax - goingOn.length),
  };
}

/** Checks files in the background. `onChecked` must be a stable function. */
export function useFileChecks(
  files: readonly ChosenFile[],
  previewed: number | null,
  onChecked: (id: number, checked: FileCheck) => void,
): CheckProgress {
  const recall = useRecallMapping();
  const client = useQueryClient();
  const running = useRef(new Map<number, Running & { abort: AbortController }>());
  const [workers] = useState(openWorkers);
  const [progress, setProgress] = useState<CheckProgress>(new Map());

  useEffect(() => {
    const checks = running.current;
    const { stop, start } = chooseNextChecks(files, previewed, checks);
    for (const id of stop) {
      checks.get(id)?.abort.abort();
      checks.delete(id);
    }
    for (const { id, file, choice, own, supplier } of start) {
      const abort = new AbortController();
      checks.set(id, { choice, own, abort });
      const onProgress = (share: number) => setProgress((before) => new Map(before).set(id, share));
      const findSupplier: CheckOptions['findSupplier'] = async (preview, sha256) =>
        preview.items.length === 0 ? undefined : client.fetchQuery(supplierQuery(file.name, preview, sha256));
      checkChosenFile(
        { file, choice, own, supplier },
        { read: workers.read, recall, findSupplier, onProgress, signal: abort.signal },
      ).then((checked) => {
        if (abort.signal.aborted) return;
        checks.delete(id);
        onChecked(id, checked);
      });
    }
    if (checks.size === 0) workers.close();
  }, [files, previewed, recall, client, onChecked, workers]);

  useEffect(() => {
    const checks = running.current;
    return () => {
      for (const { abort } of checks.values()) abort.abort();
      checks.clear();
      workers.close();
    };
  }, [workers]);
  return progress;
}

/** Keeps workers for reuse, because starting one takes longer than reading a small file. */
function openWorkers(): { read: ReadInWorker; close: () => void } {
  const idle: Worker[] = [];
  return {
    read(request, onReply) {
      const worker = idle.pop() ?? createPreviewWorker();
      let hasEnded = false;
      const listening = new AbortController();
      const take = (reply: PreviewReply) => {
        hasEnded = reply.kind !== 'progress';
        onReply(reply);
      };
      const { signal } = listening;
      worker.addEventListener('message', ({ data }: MessageEvent<PreviewReply>) => take(data), { signal });
      worker.addEventListener('error', (event) => onReply(toCrashReply(event)), { signal });
      worker.postMessage(request);
      return () => {
        if (signal.aborted) return;
        listening.abort();
        if (hasEnded) idle.push(worker);
        else worker.terminate();
      };
    },
    close() {
      for (const worker of idle.splice(0)) worker.terminate();
    },
  };
}

type EndReply = Exclude<PreviewReply, { kind: 'progress' | 'page' }>;
type Memory = Parameters<typeof toRememberedOverrides>[0] | null;

/** Returns a function that stops the worker. */
export type ReadInWorker = (request: PreviewRequest, onReply: (reply: PreviewReply) => void) => () => void;

type CheckOptions = {
  read: ReadInWorker;
  recall: (headers: readonly string[]) => Promise<Memory>;
  /** Undefined if the rows have no keys. */
  findSupplier: (preview: Preview, sha256: string) => Promise<FoundSupplier | undefined>;
  /** `share`: the share of the file that has been read, from 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
};

const detected: MappingOverrides = {};

/** Reads a whole file, with remembered overrides if it has no own ones. After an abort, the promise stays pending. */
export async function checkChosenFile(
  { file, choice, own, supplier }: Pick<ChosenFile, 'file' | 'choice' | 'own' | 'supplier'>,
  options: CheckOptions,
): Promise<FileCheck> {
  const pass = (mapping: MappingOverrides, isPartial = false) =>
    startPass({ file, choice, mapping, isPartial }, options);
  const first = pass(own ?? detected);
  const headers = await first.headers;
  const isRecalled = own === null && headers !== null;
  const memory = isRecalled ? await options.recall(headers).catch(() => undefined) : null;
  if (memory) first.stop();
  const mapping = memory ? toRememberedOverrides(memory) : (own ?? detected);
  const reply = await (memory ? pass(mapping) : first).end;
  const isPartial = await readsPartial(reply, supplier, options);
  return resultOf(isPartial ? await pass(mapping, true).end : reply, memory === undefined);
}

/** Returns whether the file is a list of prices and stock; false if the server does not answer. */
async function readsPartial(
  reply: EndReply,
  chosen: string | null,
  { findSupplier }: CheckOptions,
): Promise<boolean> {
  if (reply.kind !== 'done' || !isPartialList(reply.preview.mapping)) return false;
  const found = await findSupplier(reply.preview, reply.sha256).catch(() => undefined);
  return isReadAsPartialList(reply.preview, found, chosen);
}

/** `headers`: null if the file cannot be read. */
function startPass(
  { file, ...how }: Pick<ReadRequest, 'file' | 'choice' | 'mapping' | 'isPartial'>,
  { read, onProgress, signal }: CheckOptions,
) {
  const headers = Promise.withResolvers<readonly string[] | null>();
  const end = Promise.withResolvers<EndReply>();
  const stop = read({ kind: 'read', file, ...how, rowsOnce: true }, (reply) => {
    if (reply.kind === 'page') return;
    if (reply.kind === 'progress') {
      onProgress(file.size === 0 ? 1 : reply.readBytes / file.size);
      if (reply.preview !== null) headers.resolve(reply.preview.headers);
      return;
    }
    stop();
    headers.resolve(reply.kind === 'done' ? reply.preview.headers : null);
    end.resolve(reply);
  });
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  return { headers: headers.promise, end: end.promise, stop };
}

function resultOf(reply: EndReply, isMemoryLost: boolean): FileCheck {
  switch (reply.kind) {
    case 'done':
      return toFileReading(reply.preview, reply.sha256, isMemoryLost);
    case 'tooFewRecords':
      return { kind: 'failed', failure: tooFewRecords };
    case 'failed':
      return { kind: 'failed', failure: reply.failure };
  }
}
