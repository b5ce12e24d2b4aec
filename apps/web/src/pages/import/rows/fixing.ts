import type { RowFacets } from '@draftshelf/contract/rows';
import { useState } from 'react';

/** Rows that need the operator: how many the page has seen, and how many of them are still open. */
export type Fixing = { total: number; open: number };

/** After the next count of open rows. One that an edit has added counts as a further one. */
export function nextFixing(known: Fixing | null, open: number): Fixing {
  if (known === null) return { total: open, open };
  return { total: known.total + Math.max(0, open - known.open), open };
}

/** '1 of 3 fixed'. */
export function fixedWords({ total, open }: Fixing, format: (count: number) => string): string {
  return `${format(total - open)} of ${format(total)} fixed`;
}

/** How far the rows that need the operator are fixed since the page was opened. A new stage begins anew. */
export function useFixing({ classes }: RowFacets, stage: string): Fixing {
  const open = classes.warning + classes.error;
  const [known, setKnown] = useState({ stage, fixing: nextFixing(null, open) });
  if (known.stage === stage && known.fixing.open === open) return known.fixing;
  const fixing = nextFixing(known.stage === stage ? known.fixing : null, open);
  setKnown({ stage, fixing });
  return fixing;
}
