import { useState } from 'react';

/** Keeps a dialog mounted once opened, so that it can close with its transition. */
export function useEver(isTrue: boolean): boolean {
  const [was, setWas] = useState(isTrue);
  if (isTrue && !was) setWas(true);
  return was || isTrue;
}
