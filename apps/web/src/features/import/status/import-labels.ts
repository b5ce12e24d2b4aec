import type { BeforePush } from '@draftshelf/contract/imports/before-push';
import { formatCount } from '../../../lib/intl.ts';
import type { ShownImport } from '../imports-api.ts';

/** `changed`: rows that differ from the supplier's earlier list; absent: they were not compared. */
export type PushScope = NonNullable<BeforePush['scope']> & { changed?: number };

/** '34 of 40', or '40' if a push sends all products. A compared list that is not planned yet names what differs. */
export function scopeWords({ sent, of, changed = of }: PushScope): string {
  if (sent === of && changed < of) return `${formatCount(changed)} changed`;
  return sent === of ? formatCount(sent) : `${formatCount(sent)} of ${formatCount(of)}`;
}

type Cancelled = Pick<ShownImport, 'rereading' | 'isUndoing' | 'changesGone'>;

/** The label of the cancel button. During a re-read or an undo it names only that, because it cancels only that. */
export function cancelLabel({ rereading, isUndoing, changesGone }: Cancelled): string {
  if (changesGone) return 'Cancel Changes';
  if (isUndoing) return 'Cancel Undo';
  return rereading === null ? 'Cancel Import' : 'Cancel Re-read';
}
