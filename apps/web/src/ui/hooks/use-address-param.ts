import { useSearchParams } from 'react-router';
import { addressNow } from '../../lib/address-now.ts';

/** Null: nothing is open. Setting it replaces the history's entry and keeps the scroll position. */
export function useAddressParam(name: string): [value: string | null, set: (value: string | null) => void] {
  const [search, setSearch] = useSearchParams();
  const set = (value: string | null) => {
    const next = addressNow();
    if (value === null) next.delete(name);
    else next.set(name, value);
    setSearch(next, { replace: true, preventScrollReset: true });
  };
  return [search.get(name), set];
}
