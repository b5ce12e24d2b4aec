import { useEffect, useState } from 'react';
import type { ScannedCode } from './reader-options.ts';

export type ReaderRequest = { id: number; picture: ImageBitmap };
export type ReaderReply =
  | { kind: 'ready' }
  | { kind: 'broken'; message: string }
  | { kind: 'read'; id: number; code: ScannedCode | null }
  | { kind: 'failed'; id: number; message: string };

export type CodeReader = ReturnType<typeof openCodeReader>;

/** Opens a worker, which loads the reader at once. */
function openCodeReader() {
  const worker = new Worker(new URL('./code-worker.ts', import.meta.url), { type: 'module' });
  const ready = Promise.withResolvers<void>();
  // Prevents an unhandled rejection, because callers await `ready` only later.
  ready.promise.catch(() => {});
  const waiting = new Map<number, PromiseWithResolvers<ScannedCode | null>>();
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
    /** Returns the code in a picture, or null. The picture is transferred to the worker. */
    read(picture: ImageBitmap) {
      const id = next++;
      const read = Promise.withResolvers<ScannedCode | null>();
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

const noCodeWords = 'No code was found in this photo. Take it closer, and in better light.';
const noPictureWords = 'This file isn’t a picture that the browser can read.';

/** `onCode`: called for codes in photos. */
export function useCodeReader(onCode: (code: ScannedCode) => void) {
  const [reader, setReader] = useState<CodeReader | null>(null);
  const [isBroken, setIsBroken] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const [photo, setPhoto] = useState<{ isReading: boolean; problem: string | null }>({
    isReading: false,
    problem: null,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt starts another worker
  useEffect(() => {
    const newReader = openCodeReader();
    let isMounted = true;
    setReader(newReader);
    newReader.ready.catch(() => {
      if (isMounted) setIsBroken(true);
    });
    return () => {
      isMounted = false;
      newReader.close();
    };
  }, [attempt]);
  const readFile = async (file: Blob) => {
    if (reader === null) return;
    setPhoto({ isReading: true, problem: null });
    try {
      const code = await readPhoto(reader, file);
      setPhoto({ isReading: false, problem: code === null ? noCodeWords : null });
      if (code !== null) onCode(code);
    } catch {
      setPhoto({ isReading: false, problem: noPictureWords });
    }
  };
  return {
    reader,
    isBroken,
    reload() {
      setIsBroken(false);
      setAttempt((count) => count + 1);
    },
    isReadingPhoto: photo.isReading,
    photoProblem: photo.problem,
    readPhoto: (file: Blob) => void readFile(file),
  };
}

/** Maximum side of a photo in pixels. Phones limit canvases to about 16 megapixels; codes need far fewer. */
const sideMax = 3_000;

/** Returns a photo's code, or null. Also tries half the size, for blurred codes. Rejects if the file is no picture. */
async function readPhoto(reader: CodeReader, file: Blob): Promise<ScannedCode | null> {
  const whole = await createImageBitmap(file);
  const scale = Math.min(1, sideMax / Math.max(whole.width, whole.height));
  const sized = (by: number) =>
    createImageBitmap(whole, {
      resizeWidth: Math.max(1, Math.round(whole.width * by)),
      resizeHeight: Math.max(1, Math.round(whole.height * by)),
      resizeQuality: 'medium',
    });
  try {
    return (await reader.read(await sized(scale))) ?? (await reader.read(await sized(scale / 2)));
  } finally {
    whole.close();
  }
}
