import { useEffect, useState } from 'react';
import { type CodeReader, openCodeReader } from './code-reader.ts';
import { readPhoto } from './read-photo.ts';
import type { ReadCode } from './reader-options.ts';
import { noCodeWords, noPictureWords } from './scan-words.ts';

export type PhotoReading = {
  isReadingPhoto: boolean;
  /** Sentence about a photo in which no code was found; null: none. */
  photoProblem: string | null;
  readPhoto: (file: Blob) => void;
};

type Reading = PhotoReading & {
  /** Null until the worker has started. */
  reader: CodeReader | null;
  isBroken: boolean;
  /** Tries to load the reader again. */
  reload: () => void;
};

/** The reader of codes, for as long as the component is mounted. `onCode` gets the codes of photos. */
export function useCodeReader(onCode: (code: ReadCode) => void): Reading {
  const [reader, setReader] = useState<CodeReader | null>(null);
  const [isBroken, setIsBroken] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const [photo, setPhoto] = useState<{ isReading: boolean; problem: string | null }>({
    isReading: false,
    problem: null,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt starts another worker
  useEffect(() => {
    const opened = openCodeReader();
    let isWanted = true;
    setReader(opened);
    opened.ready.catch(() => {
      if (isWanted) setIsBroken(true);
    });
    return () => {
      isWanted = false;
      opened.close();
    };
  }, [attempt]);
  const readOne = async (file: Blob) => {
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
    readPhoto: (file) => void readOne(file),
  };
}
