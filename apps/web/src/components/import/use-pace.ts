import { useEffect, useState } from 'react';
import { nextPace, noPace, paceWords, type SampledImport, sampleOf } from './pace.ts';

const tickMs = 2000;

/** Rate and time left of a running import, from its last polls; '' while nothing can be said. */
export function usePaceWords(record: SampledImport): string {
  const [pace, setPace] = useState(noPace);
  const [nowMs, setNowMs] = useState(() => Date.now());
  const isRunning = record.status === 'processing' || record.status === 'uploading';
  useEffect(() => {
    setPace((known) => nextPace(known, sampleOf(record, Date.now())));
  }, [record]);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNowMs(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [isRunning]);
  return isRunning ? paceWords(pace, Math.max(nowMs, pace.samples.at(-1)?.atMs ?? 0)) : '';
}
