import { useState } from 'react';

/** Whether `isTrue` has been true since the first render. Keeps a dialog mounted once opened, so that it can close. */
export function useEver(isTrue: boolean): boolean {
  const [was, setWas] = useState(isTrue);
  if (isTrue && !was) setWas(true);
  return was || isTrue;
}
