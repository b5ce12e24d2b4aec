import { useSearchParams } from 'react-router';
import { addressNow, shownSourceParam } from '../../lib/paths.ts';
import { showElement, useAddressParam } from '../../ui/hooks.ts';

export type DetailsSection =
  | 'before-push'
  | 'in-store'
  | 'list-since'
  | 'field-mapping'
  | 'file'
  | 'pictures'
  | 'upc-lookup'
  | 'ask-ai';

const detailsParam = 'details';

/** The section that the address opens (`?details=file`); null: none. */
export function useDetails(): [string | null, (section: DetailsSection | null) => void] {
  const [section, setSection] = useAddressParam(detailsParam);
  return [section, (next) => (next !== null && next === section ? showElement(next) : setSection(next))];
}

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
