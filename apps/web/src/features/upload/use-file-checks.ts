import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useRecall } from '../import/index.ts';
import { type CheckOptions, checkChosenFile, type ReadInWorker } from './check-chosen-file.ts';
import { type Checked, type ChosenFile, notUploaded } from './files/chosen-files.ts';
import { supplierRead } from './preview/found-supplier.ts';
import { lostWorker, previewWorker } from './preview/preview-reader.ts';
import type { PreviewReply } from './preview/preview-state.ts';

/** Files that are read at once beside the previewed one: cores are left for the page. */
const checksMax = 2;

/** Progress of the checks, 0 to 1, by the id of the file. */
export type CheckProgress = ReadonlyMap<number, number>;

type Running = Pick<ChosenFile, 'choice' | 'own'>;

/**
 * The checks to stop and to start: of the files that are not uploaded, in their order, without the previewed one, which
 * its preview reads. A check whose file is to be read in another way is stopped.
 */
export function nextChecks(
  files: readonly ChosenFile[],
  previewed: number | null,
  running: ReadonlyMap<number, Running>,
): { stop: number[]; start: ChosenFile[] } {
  const waiting = notUploaded(files).filter(({ id, checked }) => checked === null && id !== previewed);
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

/** Checks the chosen files in the background, in their order. `onChecked` must not change between renders. */
export function useFileChecks(
  files: readonly ChosenFile[],
  previewed: number | null,
  onChecked: (id: number, checked: Checked) => void,
): CheckProgress {
  const recall = useRecall();
  const client = useQueryClient();
  const running = useRef(new Map<number, Running & { abort: AbortController }>());
  const [workers] = useState(openWorkers);
  const [progress, setProgress] = useState<CheckProgress>(new Map());

  useEffect(() => {
    const checks = running.current;
    const { stop, start } = nextChecks(files, previewed, checks);
    for (const id of stop) {
      checks.get(id)?.abort.abort();
      checks.delete(id);
    }
    for (const { id, file, choice, own, supplier } of start) {
      const abort = new AbortController();
      checks.set(id, { choice, own, abort });
      const onProgress = (share: number) => setProgress((before) => new Map(before).set(id, share));
      const findSupplier: CheckOptions['findSupplier'] = async (preview, sha256) =>
        preview.items.length === 0 ? undefined : client.fetchQuery(supplierRead(file.name, preview, sha256));
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

/** Workers that go on with the next file: to start one takes longer than to read a small file. */
function openWorkers(): { read: ReadInWorker; close: () => void } {
  const idle: Worker[] = [];
  return {
    read(request, onReply) {
      const worker = idle.pop() ?? previewWorker();
      let hasEnded = false;
      const listening = new AbortController();
      const take = (reply: PreviewReply) => {
        hasEnded = reply.kind !== 'progress';
        onReply(reply);
      };
      const { signal } = listening;
      worker.addEventListener('message', ({ data }: MessageEvent<PreviewReply>) => take(data), { signal });
      worker.addEventListener('error', (event) => onReply(lostWorker(event)), { signal });
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
