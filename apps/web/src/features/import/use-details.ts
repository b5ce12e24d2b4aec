import { useSearchParams } from 'react-router';
import { addressNow } from '../../lib/address-now.ts';
import { shownSourceParam } from '../../lib/paths.ts';
import { showElement } from '../../ui/hooks/show-element.ts';
import { useAddressParam } from '../../ui/hooks/use-address-param.ts';

/** The sections of what is known of an import, beside its rows. */
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

/** The section that the address opens beside the rows (`?details=file`), and how to open another one; null: none. */
export function useDetails(): [string | null, (section: DetailsSection | null) => void] {
  const [section, setSection] = useAddressParam(detailsParam);
  return [section, (next) => (next !== null && next === section ? showElement(next) : setSection(next))];
}

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
