import type { Tallies } from '@draftshelf/domain/operate/tallies';
import type { CallOutcome } from '@draftshelf/shopify/client';

export function countCalls(tallies: Tallies): (outcome: CallOutcome, isOtherVersion: boolean) => void {
  return (outcome, isOtherVersion) => {
    tallies.add('store-calls');
    if (outcome === 'throttled') tallies.add('store-throttled');
    if (outcome === 'refused') tallies.add('store-refusals');
    if (isOtherVersion) tallies.add('store-versions');
  };
}
