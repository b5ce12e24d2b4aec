import type { BeforePush } from '@draftshelf/contract/imports/before-push';
import { countOf, formatCount } from '../../../lib/intl.ts';
import type { ShownImport } from '../imports-api.ts';

type Scope = NonNullable<BeforePush['scope']>;

/** '34 of 40', or '40' if a push sends all products. */
export function scopeWords({ sent, of }: Scope): string {
  return sent === of ? formatCount(sent) : `${formatCount(sent)} of ${formatCount(of)}`;
}

/** 'Push 53 Products', 'Push 34 of 40'; 'Push' if the products are not known. */
export function pushLabel(scope: Scope | null): string {
  if (scope === null) return 'Push';
  return scope.sent === scope.of ? `Push ${countOf(scope.sent, 'Product')}` : `Push ${scopeWords(scope)}`;
}

/** The label of the cancel button. During a re-read or an undo it names only that, because it cancels only that. */
export function cancelLabel({ rereading, isUndoing }: Pick<ShownImport, 'rereading' | 'isUndoing'>): string {
  if (isUndoing) return 'Cancel Undo';
  return rereading === null ? 'Cancel Import' : 'Cancel Re-read';
}
