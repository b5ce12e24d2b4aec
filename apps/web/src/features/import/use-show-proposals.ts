import { useSearchParams } from 'react-router';
import { addressNow } from '../../lib/address-now.ts';
import { shownSourceParam } from '../../lib/paths.ts';
import { showElement } from '../../ui/hooks/show-element.ts';
import { detailsParam } from './use-details.ts';

/** Returns a function that shows the proposals below the rows, of a source or all. */
export function useShowProposals(): (source?: string) => void {
  const [, setSearch] = useSearchParams();
  return (source) => {
    const next = addressNow();
    next.delete(detailsParam);
    if (source !== undefined) next.set(shownSourceParam, source);
    setSearch(next, { replace: true, preventScrollReset: true });
    showElement('proposals');
  };
}
